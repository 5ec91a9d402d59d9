import { useMemo, useState } from 'react'
import type { StudyDesign } from '../../../engine/records/design.ts'
import { columnName } from '../../../engine/runs/column.ts'
import { type Crossing, crossingOf } from '../../../engine/study/design/crossing.ts'
import type { FactorRow } from '../../charts/factors/rows.ts'
import type { StudyView } from '../../protocol/study.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Curves } from '../Curves.tsx'
import { columnOf } from '../table/comparisonTable.ts'
import { type Chosen, chosenValue, type DoneRun } from '../table/values.ts'
import type { Comparison } from '../useComparison.ts'
import { chartsOf, FACTOR_CHARTS, type FactorChart } from './choice.ts'
import { FactorView } from './FactorView.tsx'
import { ThroughputView } from './ThroughputView.tsx'
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

/** All runs of a study that is crossed, those that are complete with their values. */
export function factorRows(
  { levels }: Crossing,
  planned: StudyDesign['runs'],
  done: readonly DoneRun[],
  chosen: Chosen,
): FactorRow[] {
  const known = new Map(done.map((run) => [JSON.stringify([run.variant, run.seed]), run]))
  return planned.flatMap(({ variant, seed }) => {
    const own = levels.get(variant)
    if (!own) return []
    const run = known.get(JSON.stringify([variant, seed]))
    return [{ levels: own, seed, run: run?.id ?? null, value: (run && chosenValue(run, chosen)) ?? null }]
  })
}
