import { useMemo } from 'react'
import { meaningIn } from '../../engine/records/meaning.ts'
import { chartsOf, FACTOR_CHARTS, type FactorChart } from '../study/factors/choice.ts'
import { FactorView } from '../study/factors/FactorView.tsx'
import { useFactorChoice } from '../study/factors/useFactorChoice.ts'
import { Choice } from '../ui/Choice.tsx'
import { groupCrossing, groupRows } from './factorRows.ts'
import type { Family } from './family.ts'
import type { ComparedGroup } from './groups.ts'

interface FactorSectionProps {
  groups: readonly ComparedGroup[]
  /** The first of them is drawn. */
  metrics: string[]
  family: Family | null | undefined
}

/** The last values of groups with the factors as axes, where these were planned as a crossing. */
export function FactorSection({ groups, metrics: [metric], family }: FactorSectionProps) {
  const crossing = useMemo(() => (family ? groupCrossing(groups, family) : null), [groups, family])
  const { choice, choose } = useFactorChoice(crossing)
  const rows = useMemo(
    () => (crossing && metric ? groupRows(groups, crossing, metric) : []),
    [groups, crossing, metric],
  )
  const meaning = useMemo(
    () =>
      meaningIn(
        groups.flatMap(({ runs }) => runs),
        metric ?? '',
      ),
    [groups, metric],
  )
  if (!crossing || !choice || !metric) return null
  return (
    <FactorView {...{ crossing, rows, choice, metric, meaning }} onChange={choose}>
      <Choice
        label="chart"
        value={choice.chart}
        options={chartsOf(crossing).map((chart) => [chart, FACTOR_CHARTS[chart]] as const)}
        onChange={(chart: FactorChart) => choose({ chart })}
      />
    </FactorView>
  )
}
