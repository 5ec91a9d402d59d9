import type { StudyView } from '../protocol/study.ts'
import { type NotebookState, useNotebook } from '../session/state.ts'
import { progress } from '../study/progress.ts'
import { trainingLine } from '../study/trainingLine.ts'
import { KernelStatus } from './KernelStatus.tsx'

const SAVED: Record<NotebookState['saving'], string> = {
  saved: 'saved',
  changed: 'not saved yet',
  saving: 'saving',
  failed: 'not saved',
}

/** What the page is doing, in one line. */
export function StatusBar() {
  const { name, saving, saveError, fileDeleted } = useNotebook()
  return (
    <footer className="statusbar">
      <KernelStatus />
      <TrainingStatus />
      <span className="spacer" />
      {name && (
        <span data-testid="saving" data-saving={saving} className={fileDeleted || saving === 'failed' ? 'bad' : ''}>
          {fileDeleted
            ? 'deleted'
            : saveError && saving === 'failed'
              ? `${SAVED[saving]}: ${saveError}`
              : SAVED[saving]}
        </span>
      )}
    </footer>
  )
}

/** How far the run in training is, how fast, and how long its study still takes. */
function TrainingStatus() {
  const study = useNotebook(inTraining)
  const line = study && trainingLine(study)
  if (!line) return null
  return (
    <span className="training" title={line} data-testid="training">
      <progress aria-label={`training of ${study.study}`} value={progress(study).fraction} />
      {line}
    </span>
  )
}

function inTraining({ states }: NotebookState): StudyView | null {
  const running = Object.values(states).filter(({ phase }) => phase === 'running')
  const studies = running.flatMap(({ output }) => output?.studies ?? [])
  return studies.findLast(({ runs }) => runs.some(({ status }) => status === 'running')) ?? null
}
