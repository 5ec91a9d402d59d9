import { useState } from 'react'
import { ChartView } from '../charts/ChartView.tsx'
import type { StudyView } from '../protocol/study.ts'
import { Choice } from '../ui/Choice.tsx'
import { useConfusions } from './useConfusions.ts'

/** The confusion matrices of one finished run, once it is chosen. */
export function RunReport({ study }: { study: StudyView }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const done = study.runs.flatMap((run) => (run.id !== null && run.status === 'done' ? [{ ...run, id: run.id }] : []))
  if (done.length === 0) return null
  return (
    <div className="run-report">
      <Choice
        label="confusion of"
        options={[
          ['', 'no run'],
          ...done.map(({ id, variant, seed }) => [`${id}`, `${variant}, seed ${seed}`] as const),
        ]}
        value={String(chosen ?? '')}
        onChange={(id) => setChosen(id ? Number(id) : null)}
        className="metric-select"
        testId="report"
      />
      {chosen !== null && <Matrices key={chosen} run={chosen} />}
    </div>
  )
}

function Matrices({ run }: { run: number }) {
  const { value, error } = useConfusions(run)
  if (error) return <p className="bad">{error}</p>
  if (value?.length === 0) return <p className="muted">The task of this run has no classes.</p>
  return value?.map(({ split, chart }) => <ChartView key={split} chart={chart} />)
}
