/** How the values of a tensor are spread. */
export interface Histogram {
  /** Of the finite values; 0 where there are none. */
  min: number
  max: number
  mean: number
  /** Standard deviation over all of them, divided by their number. */
  sd: number
  /** How many values are not finite; the rest leaves them out. */
  notFinite: number
  /** How many lie in each of the bins of equal width from `min` to `max`; all in the first where these are the same. */
  counts: number[]
  /** Of trained values: the norm of what the step changed of them. Left out in runs of before it was recorded. */
  update?: number
}

/** Bins of a histogram. */
export const BINS = 48

/** The Euclidean norm of the values; null where some are not finite. */
export function normOf({ mean, sd, notFinite, counts }: Histogram): number | null {
  const count = counts.reduce((sum, each) => sum + each, 0)
  return notFinite > 0 ? null : Math.sqrt(count * (mean ** 2 + sd ** 2))
}

/** The histogram of some values, in two passes. */
export function histogramOf(values: ArrayLike<number>): Histogram {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value - value !== 0) continue // not finite
    if (value < min) min = value
    if (value > max) max = value
    sum += value
    count++
  }
  const bins = new Int32Array(BINS + 1) // the greatest value falls behind the last one
  const notFinite = values.length - count
  if (count === 0) return { min: 0, max: 0, mean: 0, sd: 0, notFinite, counts: Array.from(bins.subarray(0, BINS)) }

  const mean = sum / count
  const scale = max > min ? BINS / (max - min) : 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value - value !== 0) continue
    squares += (value - mean) ** 2
    const bin = ((value - min) * scale) | 0
    bins[bin] = (bins[bin] as number) + 1
  }
  const counts = Array.from(bins.subarray(0, BINS))
  counts[BINS - 1] = (counts[BINS - 1] as number) + (bins[BINS] as number)
  return { min, max, mean, sd: Math.sqrt(squares / count), notFinite, counts }
}

/** How the values or the gradients of a tensor of a run were spread at a step. */
export interface StoredHistogram extends Histogram {
  name: string
  kind: 'weights' | 'gradients'
  step: number
}
