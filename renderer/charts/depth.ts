import type { MetricMeaning } from '../../engine/records/meaning.ts'
import { against } from './against.ts'
import type { Chart } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'
import type { SpreadKind } from './spread.ts'

export interface DepthRow {
  variant: string
  /** Variants that differ in depth alone, which a line joins; the variant if left out. */
  family?: string
  seed: number
  run: number | null
  value: number
  /** Blocks of the model. */
  depth: number
}

export interface DepthOptions {
  metric: string
  /** What its values mean; shown as plain numbers without. */
  meaning?: MetricMeaning | undefined
  logY?: boolean
  spread?: SpreadKind
}

/** A metric against the number of blocks, as in table 4 of gMLP. */
export function depth(rows: DepthRow[], options: DepthOptions, style: FigureStyle): Chart {
  const placed = rows.map(({ variant, family = variant, seed, run, value, depth: x }) => {
    return { family, point: family === variant ? `${variant}, ${x} blocks` : variant, seed, run, value, x }
  })
  return against(
    placed,
    { title: `${options.metric} against depth`, xLabel: 'blocks', marked: true, ...options },
    style,
  )
}
