import { type ReactNode, useMemo, useState } from 'react'
import { throughput } from '../../../engine/charts/throughput.ts'
import { columnName } from '../../../engine/runs/column.ts'
import { crossingOf } from '../../../engine/study/design/crossing.ts'
import { STEP_MS } from '../../../engine/train/timings.ts'
import { ChartView } from '../../charts/ChartView.tsx'
import { pageChart } from '../../charts/pageChart.ts'
import { useFigureStyle } from '../../charts/useFigureStyle.ts'
import { host } from '../../host/state.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import type { StudyView } from '../../protocol/study.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Curves } from '../Curves.tsx'
import { columnOf } from '../table/comparisonTable.ts'
import { chosenValue } from '../table/values.ts'
import type { Comparison } from '../useComparison.ts'
import { chartsOf, FACTOR_CHARTS, type FactorChart } from './choice.ts'
import { FactorView } from './FactorView.tsx'
import { factorRows } from './rows.ts'
import { useFactorChoice } from './useFactorChoice.ts'

interface StudyChartsProps {
  study: StudyView
  /** The metric of the curves. */
  metric: string
  comparison: Comparison
}

/** The curves of a study, or how fast its variants are; where it is crossed by factors, also what is compared, with these as axes. */
export function StudyCharts({ study, metric, comparison }: StudyChartsProps) {
  const { design } = study
  const { chosen, runs } = comparison
  const [throughput, setThroughput] = useState(false)
  const crossing = useMemo(() => crossingOf(design?.variants ?? []), [design])
  const { choice, curves, choose } = useFactorChoice(crossing)
  const rows = useMemo(
    () => (crossing ? factorRows(crossing, design?.runs ?? [], runs, chosen) : []),
    [crossing, design, runs, chosen],
  )
  const factors = crossing && choice && !curves ? { crossing, choice } : null
  const ofFactors = crossing ? chartsOf(crossing).map((chart) => [chart, FACTOR_CHARTS[chart]] as const) : []
  const select = (
    <Choice
      label="chart"
      value={throughput ? 'throughput' : (factors?.choice.chart ?? 'curves')}
      options={['curves', ...ofFactors, 'throughput']}
      testId="study-chart"
      onChange={(chart) => {
        setThroughput(chart === 'throughput')
        if (chart === 'curves') choose({ curves: true })
        else if (chart !== 'throughput') choose({ curves: false, chart: chart as FactorChart })
      }}
    />
  )
  if (throughput) return <ThroughputView comparison={comparison}>{select}</ThroughputView>
  if (!factors) {
    return (
      <Curves study={study} metric={metric}>
        {select}
      </Curves>
    )
  }
  return (
    <FactorView
      {...factors}
      {...{ rows, meaning: chosen.meaning }}
      metric={columnName(columnOf(chosen))}
      onChange={choose}
    >
      {select}
    </FactorView>
  )
}

interface ThroughputViewProps {
  comparison: Comparison
  /** What stands before the chart. */
  children: ReactNode
}

/** What is compared against how fast the variants are trained. */
function ThroughputView({ comparison: { runs, chosen }, children }: ThroughputViewProps) {
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
    const options = { metric: columnName(columnOf(chosen)), meaning: chosen.meaning }
    return pageChart(style, (style) => throughput(rows, options, style))
  }, [value, runs, chosen, style])
  return (
    <div className="curves" data-testid="throughput">
      <div className="curve-options">{children}</div>
      {error && <p className="bad">{error}</p>}
      {value && <ChartView chart={chart} />}
    </div>
  )
}
