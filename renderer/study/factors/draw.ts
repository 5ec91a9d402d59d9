import { factorGrid } from '../../../engine/charts/factors/grid.ts'
import { interaction } from '../../../engine/charts/factors/interaction.ts'
import { numericFactor } from '../../../engine/charts/factors/numeric.ts'
import type { FactorChartOptions, FactorRow } from '../../../engine/charts/factors/rows.ts'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../../engine/charts/figure/figure.ts'
import type { FactorChart, FactorChoice } from './choice.ts'

type Draw = (rows: FactorRow[], options: FactorChartOptions & FactorChoice, style: FigureStyle) => Chart

/** How each chart of factors is drawn as it was chosen. */
export const DRAW: Record<FactorChart, Draw> = {
  numeric: numericFactor,
  grid: (rows, { lines: [y = ''], ...options }, style) => factorGrid(rows, { ...options, y }, style),
  interaction,
}
