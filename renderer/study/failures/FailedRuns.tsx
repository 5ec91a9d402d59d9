import { failedText, failuresOf } from '../../../engine/study/failures.ts'
import type { StudyView } from '../../protocol/study.ts'
import { AgainButton } from '../AgainButton.tsx'
import { LineButton } from './LineButton.tsx'
import { MendButton } from './MendButton.tsx'

/** Which runs failed and why, those of one reason together. */
export function FailedRuns({ cell, study, running }: { cell: string; study: StudyView; running: boolean }) {
  const failed = study.runs.filter((run) => run.status === 'failed')
  if (failed.length === 0) return null
  return (
    <section className="failed-runs" aria-label="failed runs" data-testid="failed-runs">
      <p>
        <strong>{failedText(study.runs)}</strong>
        <AgainButton {...{ cell, runs: failed, running }} id="again-failed">
          Train again
        </AgainButton>
      </p>
      <ul>
        {failuresOf(failed).map(({ reason, runs }) => (
          <li key={reason}>
            <span>{runs}</span>
            <span className="run-error">{reason}</span>
            <LineButton error={reason} />
            {!running && <MendButton error={reason} run={cell} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
