import type { RunView, StudyView } from '../protocol/study.ts'

/** Why runs failed. */
export function FailedRuns({ study }: { study: StudyView }) {
  const failed = study.runs.filter((run) => run.status === 'failed')
  if (failed.length === 0) return null
  return (
    <ul className="failed-runs" aria-label="failed runs" data-testid="failed-runs">
      {failed.map((run) => (
        <FailedRun key={run.key} run={run} />
      ))}
    </ul>
  )
}

function FailedRun({ run }: { run: RunView }) {
  return (
    <li>
      <span>
        {run.variant}, seed {run.seed}
      </span>
      <span className="run-error">{run.error}</span>
    </li>
  )
}
