import { studentTQuantile } from '../study/statistics/distributions.ts'
import { spread } from '../study/summary.ts'

/** What whiskers and bands show: the standard deviation over seeds, or the 95% interval of the mean. */
export type SpreadKind = 'sd' | 'interval'

export const SPREADS: Record<SpreadKind, string> = {
  sd: '± 1 standard deviation over seeds',
  interval: '95% interval of the mean over seeds (t)',
}

const quantiles = new Map<number, number>()

/** The quantile 0.975 of Student's t; bands ask for the same one at each step. */
function tQuantile(freedom: number): number {
  const known = quantiles.get(freedom) ?? studentTQuantile(0.975, freedom)
  quantiles.set(freedom, known)
  return known
}

/** Half the width of a whisker around the mean of `n` values with a sample standard deviation; 0 below two values. */
export function halfWidth(sd: number | null, n: number, kind: SpreadKind): number {
  if (sd === null || n < 2) return 0
  return kind === 'sd' ? sd : (tQuantile(n - 1) * sd) / Math.sqrt(n)
}

/** What is drawn of the runs of a variant. */
export interface Estimate {
  mean: number
  /** Sample standard deviation; null below two runs. */
  sd: number | null
  n: number
  half: number
}

/** Mean and whisker of the values that are finite; null without any. */
export function estimate(values: number[], kind: SpreadKind): Estimate | null {
  const known = values.filter(Number.isFinite)
  const { mean, sd } = spread(known)
  return mean === null ? null : { mean, sd, n: known.length, half: halfWidth(sd, known.length, kind) }
}
