import { drawn, EXACT, ROUNDING } from '../signFlip.ts'

/**
 * One-sided p-value of the sign-flip permutation test: the hypothesis is that numbers are symmetric about 0, or lie lower; the
 * share of all ways to sign them whose mean is at least as large (Fisher, "The Design of Experiments", 1935, section 21). Exact
 * up to 20 numbers, beyond (hits + 1) / (draws + 1) over signs that are the same in every call. 1 for none.
 */
export function oneSided(numbers: readonly number[]): number {
  if (numbers.length === 0) return 1
  const limit = limitOf(numbers)
  return numbers.length <= EXACT ? exact(numbers, limit) : drawn(numbers, 'one side', (sum) => sum >= limit)
}

/** Whether that p is at most `level`, of 1 to 20 numbers: quicker, for it stops where it is not. */
export function isShownOneSided(numbers: ArrayLike<number>, level: number): boolean {
  return exact(numbers, limitOf(numbers), level) <= level
}

/** From which size on a sum is as large as the one that was observed. */
function limitOf(numbers: ArrayLike<number>): number {
  let [sum, sizes] = [0, 0]
  for (let i = 0; i < numbers.length; i++) {
    sum += numbers[i] as number
    sizes += Math.abs(numbers[i] as number)
  }
  return sum - ROUNDING * sizes
}

/** The smallest p that so many numbers can give: of all signs only these. */
export function smallestOneSided(seeds: number): number {
  return 2 ** -seeds
}

/** The fewest seeds with which a one-sided p of at most `level` is possible at all. */
export function fewestOneSided(level: number): number {
  let seeds = 1
  while (smallestOneSided(seeds) > level) seeds += 1
  return seeds
}

/** Tries half of the signs, the first kept, and with each its mirror image; each differs from the last in one sign. */
function exact(numbers: ArrayLike<number>, limit: number, enough = 1): number {
  const signed = Float64Array.from(numbers)
  const ways = 2 ** (signed.length - 1)
  let sum = signed.reduce((total, value) => total + value, 0)
  let hits = 0
  for (let way = 1; ; way++) {
    if (sum >= limit) hits += 1
    if (-sum >= limit) hits += 1
    if (way === ways || hits > enough * 2 * ways) return hits / (2 * ways)
    const flipped = 32 - Math.clz32(way & -way) // Gray code
    const value = signed[flipped] as number
    sum -= 2 * value
    signed[flipped] = -value
  }
}
