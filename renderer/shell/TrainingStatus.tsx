import { type NotebookState, useNotebook } from '../session/state.ts'
import { trainingLine } from '../study/trainingLine.ts'

/** How far the run in training is, how fast, and how long its study still takes. */
export function TrainingStatus() {
  const line = useNotebook(lineOf)
  return (
    line && (
      <span className="training" title={line} data-testid="training">
        {line}
      </span>
    )
  )
}

function lineOf({ states }: NotebookState): string | null {
  const training = Object.values(states).filter(({ phase }) => phase === 'running')
  const lines = training.flatMap(({ output }) => output?.studies.flatMap((study) => trainingLine(study) ?? []) ?? [])
  return lines.at(-1) ?? null
}
