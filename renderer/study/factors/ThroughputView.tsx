import { type ReactNode, useMemo } from 'react'
import { columnName } from '../../../engine/runs/column.ts'
import { STEP_MS } from '../../../engine/train/timings.ts'
import { ChartView } from '../../charts/figure/ChartView.tsx'
import { useFigureStyle } from '../../charts/figure/useFigureStyle.ts'
import { throughput } from '../../charts/throughput.ts'
import { host } from '../../host/state.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import { columnOf } from '../table/comparisonTable.ts'
import { chosenValue } from '../table/values.ts'
import type { Comparison } from '../useComparison.ts'

interface ThroughputViewProps {
  comparison: Comparison
  /** What stands before the chart. */
  children: ReactNode
}

/** What is compared against how fast the variants are trained. */
export function ThroughputView({ comparison: { runs, chosen }, children }: ThroughputViewProps) {
  const style = useFigureStyle()
  const ids = runs.map(({ id }) => id)
  const { value, error } = useAnswer(ids.join(), async () => {
    return { details: await host().showRuns(ids), series: await host().readSeries(ids, STEP_MS) }
  })
  const chart = useMemo(() => {
    const times = new Map(value?.series.map(({ run, values }) => [run, values]))
    const stored = new Map(value?.details.map((run) => [run.id, run]))
    const rows = runs.flatMap((run) => {
      const details = stored.get(run.id)
      if (!details) return []
      const { variant, seed, backend, device, environment, startedAt, endedAt, spec } = details
      const { train } = spec as { train?: { batch?: number } }
      const timed = { batch: train?.batch ?? Number.NaN, stepMs: times.get(run.id) ?? [] }
      const place = { backend, device, environment, startedAt, endedAt }
      return [{ variant, seed, run: run.id, value: chosenValue(run, chosen) ?? Number.NaN, ...timed, ...place }]
    })
    return throughput(rows, { metric: columnName(columnOf(chosen)), meaning: chosen.meaning }, style)
  }, [value, runs, chosen, style])
  return (
    <div className="curves" data-testid="throughput">
      <div className="curve-options">{children}</div>
      {error && <p className="bad">{error}</p>}
      {value && <ChartView chart={chart} />}
    </div>
  )
}
