import { normalCdf, normalQuantile } from './normal.ts'
import { bootstrap, type Weighted } from './resample.ts'
import type { Interval } from './types.ts'

export interface BcaOptions {
  /** Coverage, 0.95 by default. */
  level?: number
  /** Bootstrap resamples, 10,000 by default. */
  resamples?: number
}

/** Differences smaller than this share of the range are rounding. */
const ROUNDING = 1e-9

/**
 * The bias-corrected and accelerated (BCa) bootstrap confidence interval of a statistic (Efron, "Better Bootstrap Confidence Intervals",
 * 1987). Null where nothing varies: for fewer than two values, or where resampling or leaving one out changes nothing.
 */
export function bca<T>(
  sample: readonly T[],
  statistic: (sample: readonly T[]) => number,
  { level = 0.95, resamples = 10_000 }: BcaOptions = {},
): Interval | null {
  if (sample.length < 2) return null
  const estimate = statistic(sample)
  const acceleration = accelerationOf(sample.map((_, i) => statistic(sample.toSpliced(i, 1))))
  const { values, weights } = sorted(bootstrap(sample, statistic, resamples))
  const range = (values.at(-1) ?? 0) - (values[0] ?? 0)
  if (acceleration === null || range <= ROUNDING * Math.abs(estimate)) return null
  const bias = normalQuantile(shareBelow(values, weights, estimate, range))
  const end = (probability: number) => {
    const shifted = bias + normalQuantile(probability)
    const stretch = 1 - acceleration * shifted
    const z = stretch > 0 ? bias + shifted / stretch : Math.sign(shifted) * Number.POSITIVE_INFINITY
    return quantile(values, weights, normalCdf(z))
  }
  return { low: end((1 - level) / 2), high: end((1 + level) / 2) }
}

/** From the values of the statistic without one item each (Efron 1987, equation 6.6); null where they are all equal. */
function accelerationOf(without: number[]): number | null {
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length
  const deviations = without.map((value) => mean - value)
  const squares = deviations.reduce((sum, value) => sum + value ** 2, 0)
  if (!(Math.sqrt(squares) > ROUNDING * Math.abs(mean))) return null
  return deviations.reduce((sum, value) => sum + value ** 3, 0) / (6 * squares ** 1.5)
}

function sorted({ values, weights }: Weighted): Weighted {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number))
  return {
    values: Float64Array.from(order, (i) => values[i] as number),
    weights: Float64Array.from(order, (i) => weights[i] as number),
  }
}

/** The probability of values below `at`, plus half the probability of values equal to it. */
function shareBelow(values: Float64Array, weights: Float64Array, at: number, range: number): number {
  return values.reduce((share, value, i) => {
    const half = Math.abs(value - at) <= ROUNDING * range ? 0.5 : value < at ? 1 : 0
    return share + half * (weights[i] as number)
  }, 0)
}

/** The smallest value that at least the share `p` lies at or below. */
function quantile(values: Float64Array, weights: Float64Array, p: number): number {
  let share = 0
  const index = values.findIndex((_, i) => {
    share += weights[i] as number
    return share >= p - ROUNDING
  })
  return values.at(index) as number
}
