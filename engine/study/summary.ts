import type { StoredRun } from '../records/run.ts'

/** One line of the comparison table. */
export interface VariantRow {
  variant: string
  /** Finished runs that have the metric. */
  n: number
  /** Null without runs. */
  mean: number | null
  /** Sample standard deviation over seeds (n - 1); null below two runs. */
  sd: number | null
}

/** Mean and standard deviation over seeds of the last value of `metric`, one row per variant. */
export function summarize(metric: string, variants: string[], runs: StoredRun[]): VariantRow[] {
  return variants.map((variant) => {
    const values = runs
      .filter((run) => run.variant === variant && run.status === 'done')
      .map((run) => run.metrics[metric]?.last)
      .filter((value) => value !== undefined)
    return { variant, n: values.length, ...spread(values) }
  })
}

/** Mean and sample standard deviation. */
export function spread(values: readonly number[]): { mean: number | null; sd: number | null } {
  const n = values.length
  if (n === 0) return { mean: null, sd: null }
  const mean = meanOf(values)
  if (n === 1) return { mean, sd: null }
  return { mean, sd: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)) }
}

/** The mean; NaN of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
