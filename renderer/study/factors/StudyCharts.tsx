import { useMemo } from 'react'
import { columnName } from '../../../engine/runs/column.ts'
import { crossingOf } from '../../../engine/study/design/crossing.ts'
import type { StudyView } from '../../protocol/study.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Curves } from '../Curves.tsx'
import { columnOf } from '../table/comparisonTable.ts'
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

/** The curves of a study; where it is crossed by factors, also what is compared, with these as axes. */
export function StudyCharts({ study, metric, comparison }: StudyChartsProps) {
  const { design } = study
  const { chosen, runs } = comparison
  const crossing = useMemo(() => crossingOf(design?.variants ?? []), [design])
  const { choice, curves, choose } = useFactorChoice(crossing)
  const rows = useMemo(
    () => (crossing ? factorRows(crossing, design?.runs ?? [], runs, chosen) : []),
    [crossing, design, runs, chosen],
  )
  if (!crossing || !choice) return <Curves study={study} metric={metric} />
  const select = (
    <Choice
      label="chart"
      value={curves ? 'curves' : choice.chart}
      options={[['curves', 'curves'], ...chartsOf(crossing).map((chart) => [chart, FACTOR_CHARTS[chart]] as const)]}
      testId="study-chart"
      onChange={(chart) =>
        choose(chart === 'curves' ? { curves: true } : { curves: false, chart: chart as FactorChart })
      }
    />
  )
  if (curves) {
    return (
      <Curves study={study} metric={metric}>
        {select}
      </Curves>
    )
  }
  return (
    <FactorView
      {...{ crossing, rows, choice, meaning: chosen.meaning }}
      metric={columnName(columnOf(chosen))}
      onChange={choose}
    >
      {select}
    </FactorView>
  )
}
