import type { MetricMeaning } from '../../engine/records/meaning.ts'
import { against } from './against.ts'
import type { Chart } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'
import type { SpreadKind } from './spread.ts'

export interface DataSizeRow {
  variant: string
  seed: number
  run: number | null
  value: number
  /** Training examples that there are, however often each is seen. */
  examples: number
}

export interface DataSizeOptions {
  metric: string
  /** What its values mean; shown as plain numbers without. */
  meaning?: MetricMeaning | undefined
  logY?: boolean
  spread?: SpreadKind
}

/** A metric against the size of the training set, as in figure 2 of MLP-Mixer. */
export function dataSize(rows: DataSizeRow[], options: DataSizeOptions, style: FigureStyle): Chart {
  const placed = rows.map(({ variant, seed, run, value, examples: x }) => {
    return { family: variant, point: `${variant}, ${x} examples`, seed, run, value, x }
  })
  const xLabel = 'training examples'
  return against(
    placed,
    { title: `${options.metric} against ${xLabel}`, xLabel, logX: true, marked: true, ...options },
    style,
  )
}
