import { integer, keyOf } from '../../random.ts'

/** Values of a statistic with how probable each is; the probabilities add up to 1. */
export interface Weighted {
  values: Float64Array
  weights: Float64Array
}

/**
 * The bootstrap distribution of a statistic of a sample: over all resamples where there are at most `count` different
 * ones (n = 8 for 10,000), else over `count` drawn ones, the same in every call.
 */
export function bootstrap<T>(
  sample: readonly T[],
  statistic: (sample: readonly T[]) => number,
  count: number,
): Weighted {
  const n = sample.length
  const drawn: T[] = Array.from(sample)
  if (multisets(n) <= count) return enumerate(sample, statistic, drawn)
  const key = keyOf(0, 'bootstrap')
  const values = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < n; j++) drawn[j] = sample[integer(key, i * n + j, n)] as T
    values[i] = statistic(drawn)
  }
  return { values, weights: new Float64Array(count).fill(1 / count) }
}

/** How many resamples of n values there are, order aside: 2n - 1 over n. */
function multisets(n: number): number {
  let count = 1
  for (let i = 1; i < n; i++) count = (count * (n + i)) / i
  return Math.round(count)
}

/** All resamples, each as probable as its multinomial coefficient says. */
function enumerate<T>(sample: readonly T[], statistic: (sample: readonly T[]) => number, drawn: T[]): Weighted {
  const n = sample.length
  const values: number[] = []
  const weights: number[] = []
  const fill = (item: number, place: number, weight: number) => {
    if (place === n) {
      values.push(statistic(drawn))
      weights.push(weight)
      return
    }
    if (item === n) return
    let share = weight
    fill(item + 1, place, share)
    for (let times = 1; place + times <= n; times++) {
      drawn[place + times - 1] = sample[item] as T
      // Of n! / (times! ...) / n^n this takes one factor for each place.
      share *= (place + times) / times / n
      fill(item + 1, place + times, share)
    }
  }
  fill(0, 0, 1)
  return { values: Float64Array.from(values), weights: Float64Array.from(weights) }
}
