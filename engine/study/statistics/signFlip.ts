import { integer, keyOf } from '../../random.ts'

/** Up to so many differences all signs are tried; beyond, `DRAWS` are drawn. */
export const EXACT = 20
const DRAWS = 99_999
/** Sums that differ by less than this share of the sum of sizes are equal. */
export const ROUNDING = 1e-9

/**
 * Two-sided p-value of the sign-flip permutation test: the hypothesis is that differences are symmetric about 0 (Fisher, "The Design of Experiments", 1935,
 * section 21): the share of all ways to sign them whose mean is at least as far from 0. Exact up to 20 differences, beyond
 * (hits + 1) / (draws + 1) over signs that are the same in every call. 1 for none.
 */
export function signFlip(differences: readonly number[]): number {
  const n = differences.length
  if (n === 0) return 1
  const limit = limitOf(differences)
  return n <= EXACT ? exact(differences, limit) : drawn(differences, 'signs', (sum) => Math.abs(sum) >= limit)
}

/** Whether that p is at most `level`, of 1 to 20 differences: quicker, for it stops where it is not. */
export function isShown(differences: ArrayLike<number>, level: number): boolean {
  return exact(differences, limitOf(differences), level) <= level
}

/** From which size on a sum is as far from 0 as the one that was observed. */
function limitOf(differences: ArrayLike<number>): number {
  let [sum, sizes] = [0, 0]
  for (let i = 0; i < differences.length; i++) {
    sum += differences[i] as number
    sizes += Math.abs(differences[i] as number)
  }
  return Math.abs(sum) - ROUNDING * sizes
}

/** The smallest p that `seeds` differences can give: all have one sign, and of all signs only these and their opposite. */
export function smallestP(seeds: number): number {
  return Math.min(1, 2 ** (1 - seeds))
}

/** Tries half of the signs, the first kept, since the other half mirrors them; each differs from the last in one sign. */
function exact(differences: ArrayLike<number>, limit: number, enough = 1): number {
  const signed = Float64Array.from(differences)
  const ways = 2 ** (signed.length - 1)
  let sum = signed.reduce((total, value) => total + value, 0)
  let hits = 1
  for (let way = 1; way < ways && hits <= enough * ways; way++) {
    const flipped = 32 - Math.clz32(way & -way) // Gray code
    const value = signed[flipped] as number
    sum -= 2 * value
    signed[flipped] = -value
    if (Math.abs(sum) >= limit) hits += 1
  }
  return hits / ways
}

/** The share of drawn signs whose sum counts, over signs that are the same in every call for a stream of that name. */
export function drawn(differences: readonly number[], stream: string, counts: (sum: number) => boolean): number {
  const key = keyOf(0, stream)
  let counter = 0
  let hits = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    let bits = 0
    const sum = differences.reduce((total, value, i) => {
      if (i % 32 === 0) bits = integer(key, counter++, 2 ** 32)
      return total + ((bits >>> (i % 32)) & 1 ? value : -value)
    }, 0)
    if (counts(sum)) hits += 1
  }
  return (hits + 1) / (DRAWS + 1)
}
