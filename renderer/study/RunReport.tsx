import { useState } from 'react'
import { ChartView } from '../charts/figure/ChartView.tsx'
import type { StudyView } from '../protocol/study.ts'
import { useConfusions } from './useConfusions.ts'

/** The confusion matrices of one finished run, once it is chosen. */
export function RunReport({ study }: { study: StudyView }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const done = study.runs.flatMap((run) => (run.id !== null && run.status === 'done' ? [{ ...run, id: run.id }] : []))
  if (done.length === 0) return null
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
      {chosen !== null && <Matrices key={chosen} run={chosen} />}
    </div>
  )
}

function Matrices({ run }: { run: number }) {
  const { value, error } = useConfusions(run)
  if (error) return <p className="bad">{error}</p>
  if (value?.length === 0) return <p className="muted">The task of this run has no classes.</p>
  return value?.map((chart) => <ChartView key={chart.title} chart={chart} />)
}
