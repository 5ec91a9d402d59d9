import { type NotebookState, useNotebook } from '../session/state.ts'
import { KernelStatus } from './KernelStatus.tsx'
import { TrainingStatus } from './TrainingStatus.tsx'

const SAVED: Record<NotebookState['saving'], string> = {
  saved: 'saved',
  changed: 'not saved yet',
  saving: 'saving',
  failed: 'not saved',
}

/** What the page is doing, in one line. */
export function StatusBar() {
  const { name, saving, saveError, gone } = useNotebook()
  return (
    <footer className="statusbar">
      <KernelStatus />
      <TrainingStatus />
      <span className="spacer" />
      {name && (
        <span data-testid="saving" data-saving={saving} className={gone || saving === 'failed' ? 'bad' : ''}>
          {gone ? 'deleted' : saveError && saving === 'failed' ? `${SAVED[saving]}: ${saveError}` : SAVED[saving]}
        </span>
      )}
    </footer>
  )
}
