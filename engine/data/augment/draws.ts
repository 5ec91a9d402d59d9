import { integer, type Key, keyOf, normal, permutation, uniform } from '../../random.ts'

/** Draws one after the other from a stream of their own: the same stream gives the same draws. */
export interface AugmentDraws {
  /** Uniform in low..high. */
  between(low: number, high: number): number
  /** A uniform whole number in 0..count-1. */
  below(count: number): number
  normal(): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** From Beta(alpha, alpha), alpha > 0. */
  beta(alpha: number): number
  /** The whole numbers from 0 to `size` - 1 in random order. */
  permutation(size: number): number[]
}

/** The stream of draws named `path` under `seed`. */
export function drawsOf(seed: number, path: string): AugmentDraws {
  return drawsBy((order) => keyOf(seed, `${path}${order}`))
}

/** A stream by the keys of its draws: that of '', and for random orders those of `/order/0`, `/order/1`, ... */
export function drawsBy(keyFor: (order: string) => Key): AugmentDraws {
  const key = keyFor('')
  let counter = 0
  const unit = () => uniform(key, counter++)
  const gauss = () => normal(key, counter++)

  /** The logarithm of a draw from Gamma(shape), by way of shape + 1 (Marsaglia and Tsang 2000). */
  function logGamma(shape: number): number {
    const d = shape + 2 / 3
    while (true) {
      const x = gauss()
      const v = (1 + x / Math.sqrt(9 * d)) ** 3
      if (v > 0 && Math.log(1 - unit()) < x ** 2 / 2 + d * (1 - v + Math.log(v))) {
        return Math.log(d * v) + Math.log(1 - unit()) / shape
      }
    }
  }

  return {
    between: (low, high) => low + (high - low) * unit(),
    below: (count) => integer(key, counter++, count),
    normal: gauss,
    chance: (probability) => unit() < probability,
    permutation: (size) => Array.from(permutation(keyFor(`/order/${counter++}`), size)),
    beta: (alpha) => 1 / (1 + Math.exp(logGamma(alpha) - logGamma(alpha))),
  }
}
