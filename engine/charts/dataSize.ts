import { against, type ValueOptions } from './against.ts'
import type { Chart, ResultRow } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

export interface DataSizeRow extends ResultRow {
  /** Training examples that there are, however often each is seen. */
  examples: number
}

/** A metric against the size of the training set, as in figure 2 of MLP-Mixer. */
export function dataSize(rows: DataSizeRow[], options: ValueOptions, style: FigureStyle): Chart {
  const placed = rows.map(({ variant, seed, run, value, examples: x }) => {
    return { family: variant, point: `${variant}, ${x} examples`, seed, run, value, x }
  })
  const xLabel = 'training examples'
  const title = `${options.metric} against ${xLabel}`
  return against(placed, { title, xLabel, logX: true, marked: true, ...options }, style)
}
