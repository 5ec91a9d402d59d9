import { type CostSizes, formulas } from '../cost/formulas.ts'
import { against } from './against.ts'
import type { Chart } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

export interface ComplexityOptions {
  /** The sizes around which the curves are drawn. */
  at: CostSizes
  /** What changes along the x axis. */
  axis: keyof CostSizes
  /** The multiply-adds that were counted of the blocks of a model with these sizes. */
  counted: { name: string; macs: number }
}

/** Of the size in the middle. */
const FACTORS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]

/** Multiply-adds of blocks by the formulas of their papers against tokens, width or depth, beside a model as it was counted. */
export function complexity({ at, axis, counted }: ComplexityOptions, style: FigureStyle): Chart {
  const places = [...new Set(FACTORS.map((factor) => Math.max(1, Math.round(at[axis] * factor))))]
  const row = (family: string, x: number, value: number) => {
    return { family, point: `${family}, ${axis} ${x}`, seed: 0, run: null, x, value }
  }
  const curves = formulas.flatMap(({ name, formula, macs }) =>
    places.map((place) => {
      const sizes = { ...at, [axis]: place }
      return row(`${name}: ${formula}`, place, sizes.depth * macs(sizes))
    }),
  )
  const options = { metric: 'multiply-adds', xLabel: axis, logX: true, logY: true }
  const title = `Multiply-adds of the blocks by ${axis}, by formula and as counted of ${counted.name}`
  return against([...curves, row(`${counted.name}, counted`, at[axis], counted.macs)], { ...options, title }, style)
}
