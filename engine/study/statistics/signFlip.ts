import { integer, keyOf } from '../../random.ts'
import type { Interval } from './judgement.ts'

/** The share of studies without any difference in which one may be claimed. */
export const ALPHA = 0.05
/** The evidence at which something is claimed: 20 to 1, since no fair bets reach that with a probability above 1 / 20. */
export const ENOUGH = 1 / ALPHA
/** Up to this many numbers all signs are tried; beyond, `DRAWS` are drawn. */
export const EXACT = 20
const DRAWS = 99_999
/** Fewer numbers have no interval. */
const FEWEST = 4
/** Sums that differ by less than this share of the sum of sizes are equal. */
export const ROUNDING = 1e-9
/** Shares that differ by less than this are equal. */
const SHARE = 1e-12

/** Ways to sign numbers that are counted where draws cannot tell a p from 0. */
const MOST_WAYS = 2 ** 20

/**
 * Two-sided p-value of the sign-flip permutation test: the hypothesis is that numbers are symmetric about 0 (Fisher, "The Design of
 * Experiments", 1935, section 21): the share of all ways to sign them whose mean is at least as far from 0. Exact up to 20
 * numbers, beyond (hits + 1) / (draws + 1) over signs that are the same in every call; exact again without a hit. 1 for none.
 */
export function signFlip(numbers: readonly number[]): number {
  if (numbers.length === 0) return 1
  const limit = Math.abs(sumOf(numbers)) - ROUNDING * sizesOf(numbers)
  if (numbers.length <= EXACT) return exact(numbers, limit)
  const p = drawnShare(numbers, 1, (sum) => (Math.abs(sum) >= limit ? 1 : 0))
  if (p > 1 / (DRAWS + 1)) return p
  const ways = waysAsFar(numbers, MOST_WAYS)
  return ways > MOST_WAYS ? p : Math.min(p, ways / 2 ** (numbers.length - 1))
}

/**
 * How many ways to sign numbers have a sum at least as large as theirs, whose size is that of the sum; counting ends beyond
 * `most`. With all signs alike the sum is largest; a way counts as long as the numbers that it turns are no larger together
 * than those that were against the sum. Quick for few ways, however many numbers there are.
 */
export function waysAsFar(numbers: ArrayLike<number>, most: number): number {
  const side = sumOf(numbers) < 0 ? -1 : 1
  const sizes = Float64Array.from(numbers, Math.abs).sort()
  let against = (ROUNDING * sizesOf(numbers)) / 2
  for (let i = 0; i < numbers.length; i++) against += Math.max(0, -side * (numbers[i] as number))
  let ways = 0
  const count = (from: number, left: number): void => {
    ways += 1
    for (let i = from; i < sizes.length && ways <= most; i++) {
      const rest = left - (sizes[i] as number)
      if (rest < 0) return
      count(i + 1, rest)
    }
  }
  count(0, against)
  return ways
}

/**
 * One-sided p-value of the same test: the hypothesis is that numbers are symmetric about 0 or lie lower. Each drawn way counts
 * together with its mirror image, so that the two-sided p is twice the smaller one-sided p.
 */
export function oneSided(numbers: readonly number[]): number {
  if (numbers.length === 0) return 1
  const limit = sumOf(numbers) - ROUNDING * sizesOf(numbers)
  if (numbers.length <= EXACT) return exactOneSided(numbers, limit)
  return drawnShare(numbers, 2, (sum) => (sum >= limit ? 1 : 0) + (-sum >= limit ? 1 : 0))
}

/** Whether the two-sided p is at most `level`, of 1 to 20 numbers: quicker, for it stops where it is not. */
export function isShown(numbers: ArrayLike<number>, level: number): boolean {
  return exact(numbers, Math.abs(sumOf(numbers)) - ROUNDING * sizesOf(numbers), level) <= level
}

/** The same for the one-sided p. */
export function isShownOneSided(numbers: ArrayLike<number>, level: number): boolean {
  return exactOneSided(numbers, sumOf(numbers) - ROUNDING * sizesOf(numbers), level) <= level
}

/** The smallest two-sided p that `seeds` numbers can give: all have one sign, and of all signs only these and their opposite. */
export function smallestP(seeds: number): number {
  return Math.min(1, 2 ** (1 - seeds))
}

/** The smallest one-sided p. */
export function smallestOneSided(seeds: number): number {
  return 2 ** -seeds
}

/** The fewest seeds with which a p of at most `level` is possible at all. */
export function fewestSeeds(level: number): number {
  let seeds = 1
  while (smallestP(seeds) > level) seeds += 1
  return seeds
}

/** The fewest seeds with which a one-sided p of at most `level` is possible at all. */
export function fewestOneSided(level: number): number {
  let seeds = 1
  while (smallestOneSided(seeds) > level) seeds += 1
  return seeds
}

/**
 * The confidence interval of the centre of symmetric numbers that has each centre which the two-sided sign-flip test does not
 * reject at `level`: from the k-th smallest to the k-th largest mean of a subset (Hartigan, "Using Subsample Values as Typical
 * Values", 1969). Interval and test therefore never contradict each other. Where the numbers are too few to reject anything, it is
 * the range of the numbers, with the coverage that this has. Null below four numbers, whose range covers less than 85%.
 */
export function flipInterval(numbers: readonly number[], level: number): Interval | null {
  const n = numbers.length
  if (n < FEWEST) return null
  const ways = n <= EXACT ? 2 ** (n - 1) : DRAWS + 1
  const rank = Math.floor(level * ways * (1 + SHARE))
  const means = (rank < 1 ? Float64Array.from(numbers) : subsetMeans(numbers)).sort()
  const [low, high] = [means[Math.max(0, rank - 1)] as number, means[means.length - Math.max(1, rank)] as number]
  const center = (low + high) / 2
  const isPoint = high - low <= ROUNDING * Math.abs(center)
  return { ...(isPoint ? { low: center, high: center } : { low, high }), level: rank < 1 ? 1 - 1 / ways : 1 - level }
}

/** The means of all subsets, or of the drawn ones and their complements; the empty subset is left out. Sums that are rounding are 0. */
function subsetMeans(numbers: readonly number[]): Float64Array {
  const n = numbers.length
  const rounding = (ROUNDING * sizesOf(numbers)) / 2
  const meanOf = (sum: number, count: number) => (Math.abs(sum) <= rounding ? 0 : sum / count)
  if (n <= EXACT) {
    const sums = new Float64Array(2 ** n)
    const counts = new Uint8Array(2 ** n)
    for (const [place, value] of numbers.entries()) {
      const half = 2 ** place
      for (let i = 0; i < half; i++) {
        sums[half + i] = (sums[i] as number) + value
        counts[half + i] = (counts[i] as number) + 1
      }
    }
    for (let i = 1; i < sums.length; i++) sums[i] = meanOf(sums[i] as number, counts[i] as number)
    return sums.subarray(1)
  }
  const total = sumOf(numbers)
  const means = new Float64Array(2 * DRAWS)
  eachDraw(numbers, (sum, kept, draw) => {
    // of all kept or none the one side is empty: its mean is no bound
    const [own, other] = [(total + sum) / 2, (total - sum) / 2]
    means[2 * draw] = kept > 0 ? meanOf(own, kept) : Number.NEGATIVE_INFINITY
    means[2 * draw + 1] = kept < n ? meanOf(other, n - kept) : Number.POSITIVE_INFINITY
  })
  return means
}

function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += numbers[i] as number
  return sum
}

function sizesOf(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += Math.abs(numbers[i] as number)
  return sum
}

/** Tries half of the signs, the first kept, since the other half mirrors them; each differs from the last in one sign. */
function exact(numbers: ArrayLike<number>, limit: number, enough = 1): number {
  return tried(numbers, enough, (sum) => (Math.abs(sum) >= limit ? 1 : 0))
}

/** The same, with the mirror image of each. */
function exactOneSided(numbers: ArrayLike<number>, limit: number, enough = 1): number {
  return tried(numbers, 2 * enough, (sum) => (sum >= limit ? 1 : 0) + (-sum >= limit ? 1 : 0)) / 2
}

function tried(numbers: ArrayLike<number>, enough: number, hitsOf: (sum: number) => number): number {
  const signed = Float64Array.from(numbers)
  const ways = 2 ** (signed.length - 1)
  let sum = signed.reduce((total, value) => total + value, 0)
  let hits = 0
  for (let way = 1; ; way++) {
    hits += hitsOf(sum)
    if (way === ways || hits > enough * ways) return hits / ways
    const flipped = 32 - Math.clz32(way & -way) // Gray code
    const value = signed[flipped] as number
    sum -= 2 * value
    signed[flipped] = -value
  }
}

/** The share of drawn signs that count, of which each counts at most `most` times. */
function drawnShare(numbers: readonly number[], most: number, hitsOf: (sum: number) => number): number {
  let hits = 0
  eachDraw(numbers, (sum) => {
    hits += hitsOf(sum)
  })
  return (hits + hitsOf(sumOf(numbers))) / (most * (DRAWS + 1)) // the numbers as they are count, too
}

/** Calls `visit` with the signed sum of each draw and how many numbers kept their sign; the draws are the same in every call. */
function eachDraw(numbers: readonly number[], visit: (sum: number, kept: number, draw: number) => void): void {
  const key = keyOf(0, 'signs')
  let counter = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    let bits = 0
    let [sum, kept] = [0, 0]
    for (let i = 0; i < numbers.length; i++) {
      if (i % 32 === 0) bits = integer(key, counter++, 2 ** 32)
      const value = numbers[i] as number
      if ((bits >>> (i % 32)) & 1) {
        sum += value
        kept += 1
      } else sum -= value
    }
    visit(sum, kept, draw)
  }
}
