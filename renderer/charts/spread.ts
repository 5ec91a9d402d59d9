import { spread } from '../../engine/study/summary.ts'

/** What whiskers and bands show: the standard deviation over seeds, or the 95% interval of the mean. */
export type SpreadKind = 'sd' | 'interval'

export const SPREADS: Record<SpreadKind, string> = {
  sd: '± 1 standard deviation over seeds',
  interval: '95% interval of the mean over seeds (t)',
}

/** Quantiles 0.975 of Student's t with 1, 2, ... degrees of freedom. */
const T = [
  12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814, 2.20099, 2.17881, 2.16037,
  2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596,
]
const NORMAL = 1.959964

/** The quantile 0.975 of Student's t; beyond the table by its expansion around the normal one, right to 5 digits. */
export function tQuantile(freedom: number): number {
  const z = NORMAL
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ]
  return T[freedom - 1] ?? terms.reduce((sum, term, i) => sum + term / freedom ** (i + 1), z)
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
