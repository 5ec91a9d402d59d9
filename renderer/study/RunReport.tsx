import { useState } from 'react'
import { Confusion } from './Confusion.tsx'
import { useReport } from './useReport.ts'
import type { StudyView } from './view.ts'

/** The confusion matrices of one finished run, once it is chosen. */
export function RunReport({ study }: { study: StudyView }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const report = useReport(chosen)
  const done = study.runs.flatMap((run) => (run.id !== null && run.status === 'done' ? [{ ...run, id: run.id }] : []))
  if (done.length === 0) return null
  const matrices = Object.entries(report ?? {}).flatMap(([split, part]) =>
    part.kind === 'classification' ? [<Confusion key={split} split={split} report={part} />] : [],
  )
  return (
    <div className="run-report">
      <label className="metric-select">
        <span className="muted">confusion of</span>
        <select
          value={chosen ?? ''}
          onChange={({ target }) => setChosen(target.value ? Number(target.value) : null)}
          data-testid="report"
        >
          <option value="">no run</option>
          {done.map(({ id, variant, seed }) => (
            <option key={id} value={id}>
              {variant}, seed {seed}
            </option>
          ))}
        </select>
      </label>
      {matrices}
      {report && matrices.length === 0 && <p className="muted">The task of this run has no classes.</p>}
    </div>
  )
}
