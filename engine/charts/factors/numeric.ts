import type { Level } from '../../study/design/crossing.ts'
import { isNumeric, spacingOf } from '../../study/design/spacing.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { numberAxis } from './axis.ts'
import { type FactorLinesOptions, factorLines } from './lines.ts'
import { type FactorRow, factorOf } from './rows.ts'

/** How far two lines stand apart, of the whole axis. */
const APART = 0.018

/** A metric against a factor whose levels are numbers, such as a learning rate. Of others it draws nothing. */
export function numericFactor(rows: FactorRow[], options: FactorLinesOptions, style: FigureStyle): Chart {
  const { metric, factors, x } = options
  const found = factorOf(factors, x)
  const factor = isNumeric(found) ? found : { name: x, levels: [] }
  const levels = factor.levels.toSorted((a, b) => a - b)
  const [low = 1, high = 1] = [levels[0], levels.at(-1)]
  const even = spacingOf(levels) === 'linear'
  const axis = {
    title: `${metric} against ${x}`,
    layout: numberAxis(factor, style),
    levels,
    place: (level: Level, beside: number) =>
      even ? Number(level) + beside * (high - low) : Number(level) * (high / low) ** beside,
    apart: APART,
  }
  return factorLines(rows, options, axis, style)
}
