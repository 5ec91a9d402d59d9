import { trainedElsewhere } from '../../engine/study/backends/elsewhere.ts'
import type { StudyView } from '../protocol/study.ts'
import { trainsOn, useKernel } from '../session/kernel/state.ts'
import { AgainButton } from './AgainButton.tsx'

/** Says that a study has runs of another backend than the one chosen. */
export function ElsewhereLine({ cell, study, running }: { cell: string; study: StudyView; running: boolean }) {
  const backend = useKernel(trainsOn)
  const found = backend && trainedElsewhere(study.runs, backend)
  if (!found) return null
  return (
    <p className="elsewhere" data-testid="elsewhere">
      <span>
        {found.text}; the backend is now {backend}.
      </span>
      <AgainButton {...{ cell, runs: found.runs, running }} id="again-here">
        Train again on {backend}
      </AgainButton>
    </p>
  )
}
