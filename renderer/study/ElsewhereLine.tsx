import { interruptedOnOtherBackend, trainedOnOtherBackend } from '../../engine/study/backends/otherBackend.ts'
import type { StudyView } from '../protocol/study.ts'
import { trainsOn, useKernel } from '../session/kernel/state.ts'
import { goOnHere } from '../session/trainAgain.ts'
import { Button } from '../ui/Button.tsx'
import { AgainButton } from './AgainButton.tsx'

/** Says that a study has runs of another backend than the chosen one, and lets interrupted ones continue here. */
export function ElsewhereLine({ cell, study, running }: { cell: string; study: StudyView; running: boolean }) {
  const backend = useKernel(trainsOn)
  if (!backend) return null
  const trained = trainedOnOtherBackend(study.runs, backend)
  const begun = running ? null : interruptedOnOtherBackend(study.runs, backend)
  return (
    <>
      {trained && (
        <p className="elsewhere" data-testid="elsewhere">
          <span>
            {trained.text}; the backend is now {backend}.
          </span>
          <AgainButton {...{ cell, runs: trained.runs, running }} id="again-here">
            Train again on {backend}
          </AgainButton>
        </p>
      )}
      {begun && (
        <p className="elsewhere" data-testid="begun-elsewhere">
          <span>
            {begun.text}; the backend is now {backend}, where the cell would begin anew.
          </span>
          <Button
            look="small"
            title="Runs the cell; results of both backends are marked as such"
            onClick={() => void goOnHere(cell, begun.runs, backend)}
            testId="go-on-here"
          >
            Continue on {backend}
          </Button>
        </p>
      )}
    </>
  )
}
