import { SPREADS, type SpreadKind } from '../../../engine/charts/spread.ts'
import type { Crossing, Factor } from '../../../engine/study/design/crossing.ts'
import { isNumeric } from '../../../engine/study/design/spacing.ts'

/** The charts that have factors as axes. */
export const FACTOR_CHARTS = {
  numeric: 'against a number',
  grid: 'heat map',
  interaction: 'interaction',
} as const

export type FactorChart = keyof typeof FACTOR_CHARTS

/** What a chart of factors shows. */
export interface FactorChoice {
  chart: FactorChart
  /** The factor along the x axis. */
  x: string
  /** The factors with a line per level; for a heat map the factor of the rows. Others are averaged over. */
  lines: string[]
  spread: SpreadKind
}

/** So many lines have a colour each. */
const COLOURS = 7

/** The charts that can be drawn of some factors, each with those that can be its x axis. */
const AXES: Record<FactorChart, (factors: readonly Factor[]) => Factor[]> = {
  numeric: (factors) => factors.filter(isNumeric),
  grid: (factors) => (factors.length > 1 ? [...factors] : []),
  interaction: (factors) =>
    factors.length > 1 ? factors.toSorted((a, b) => Number(isNumeric(a)) - Number(isNumeric(b))) : [],
}

/** The charts that a study has enough factors for. */
export function chartsOf({ factors }: Crossing): FactorChart[] {
  return (Object.keys(FACTOR_CHARTS) as FactorChart[]).filter((chart) => AXES[chart](factors).length > 0)
}

/** Names of the factors that can be the x axis of a chart, the one to begin with first. */
export function axesOf(chart: FactorChart, { factors }: Crossing): string[] {
  return AXES[chart](factors).map(({ name }) => name)
}

/** The factors that can be lines, or rows, beside the x axis; the ones to begin with first. */
export function linesOf(chart: FactorChart, x: string, { factors }: Crossing): string[][] {
  const others = factors.filter(({ name }) => name !== x)
  const single = others.map(({ name }) => [name])
  if (chart === 'grid') return single
  const all = others.length > 1 ? [others.map(({ name }) => name)] : []
  if (chart === 'interaction') return [...single, ...all]
  const count = others.reduce((product, { levels }) => product * levels.length, 1)
  return [...(count > COLOURS ? [...single, ...all] : [...all, ...single]), []]
}

/** A choice that was kept, maybe for another study, as far as these factors have it; the rest is what to begin with. */
export function choiceOf(kept: unknown, crossing: Crossing): FactorChoice | null {
  const wanted = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  const charts = chartsOf(crossing)
  const chart = charts.find((each) => each === wanted.chart) ?? charts[0]
  if (!chart) return null
  const axes = axesOf(chart, crossing)
  const x = axes.find((each) => each === wanted.x) ?? axes[0] ?? ''
  const all = linesOf(chart, x, crossing)
  const lines = all.find((each) => JSON.stringify(each) === JSON.stringify(wanted.lines)) ?? all[0] ?? []
  const kinds = Object.keys(SPREADS) as SpreadKind[]
  const spread = kinds.find((each) => each === wanted.spread) ?? (chart === 'interaction' ? 'interval' : 'sd')
  return { chart, x, lines, spread }
}
