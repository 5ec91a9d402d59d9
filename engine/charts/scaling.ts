import { against, type ValueOptions } from './against.ts'
import type { Chart, ResultRow } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

/** A run and what its model costs; null for what is not known. */
export interface ScalingRow extends ResultRow {
  /** Variants of one architecture at several sizes, which a line joins; its own name if left out. */
  family?: string
  parameters?: number | null
  /** Multiply-adds of one example forward. */
  macs?: number | null
  /** Training examples in a second. */
  throughput?: number | null
  /** Training time. */
  seconds?: number | null
}

export type Cost = 'parameters' | 'macs' | 'throughput' | 'seconds'

const LABELS: Record<Cost, string> = {
  parameters: 'parameters',
  macs: 'MACs per example',
  throughput: 'examples per second',
  seconds: 'seconds of training',
}

export interface ScalingOptions extends ValueOptions {
  /** What is on the x axis; `parameters` if left out. */
  cost?: Cost
}

/** Of more points, names are left to the pointer. */
const NAMED = 12

/** Accuracy or perplexity against the cost of the model, as in figures 1 and 2 of gMLP and figure 1 of MLP-Mixer. */
export function scaling(rows: ScalingRow[], options: ScalingOptions, style: FigureStyle): Chart {
  const { metric, cost = 'parameters', ...rest } = options
  const placed = rows.map(({ variant, family = variant, seed, run, value, [cost]: x }) => {
    return { family, point: variant, seed, run, value, x: x ?? Number.NaN }
  })
  const variants = new Set(rows.map((row) => row.variant)).size
  const families = new Set(placed.map((row) => row.family)).size
  const xLabel = LABELS[cost]
  const named = families < variants && variants <= NAMED
  return against(placed, { title: `${metric} against ${xLabel}`, metric, xLabel, logX: true, named, ...rest }, style)
}
