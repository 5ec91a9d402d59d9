import type { Level } from '../../study/design/crossing.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { levelAxis } from './axis.ts'
import { type FactorLinesOptions, factorLines } from './lines.ts'
import { type FactorRow, factorOf } from './rows.ts'

/** How far two lines stand apart, of the place of a level. */
const APART = 0.12

/** A metric by the levels of a factor, one line per level of others: where lines are not parallel, the factors interact. */
export function interaction(rows: FactorRow[], options: FactorLinesOptions, style: FigureStyle): Chart {
  const { metric, factors, x, lines } = options
  const factor = factorOf(factors, x)
  const axis = {
    title: `${metric} by ${[x, ...lines].join(', ')}`,
    layout: levelAxis(factor, style),
    levels: factor.levels,
    place: (level: Level, beside: number) => factor.levels.indexOf(level) + beside,
    apart: APART,
  }
  return factorLines(rows, { spread: 'interval', ...options }, axis, style)
}
