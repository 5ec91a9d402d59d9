import { against, type ValueOptions } from './against.ts'
import type { Chart, ResultRow } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

export interface DepthRow extends ResultRow {
  /** Variants that differ in depth alone, which a line joins; the variant if left out. */
  family?: string
  /** Blocks of the model. */
  depth: number
}

/** A metric against the number of blocks, as in table 4 of gMLP. */
export function depth(rows: DepthRow[], options: ValueOptions, style: FigureStyle): Chart {
  const placed = rows.map(({ variant, family = variant, seed, run, value, depth: x }) => {
    return { family, point: family === variant ? `${variant}, ${x} blocks` : variant, seed, run, value, x }
  })
  const title = `${options.metric} against depth`
  return against(placed, { title, xLabel: 'blocks', marked: true, ...options }, style)
}
