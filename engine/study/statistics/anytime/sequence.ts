import type { Interval } from '../types.ts'
import { ENOUGH, evidence } from './evidence.ts'

/**
 * Confidence sequence of the median of numbers in the order in which they came, at 95%: with that probability the interval
 * after every number covers the median, so that one may look whenever one likes (Howard, Ramdas, McAuliffe and Sekhon,
 * "Time-uniform, Nonparametric, Nonasymptotic Confidence Sequences", 2021). It has each m that bets on the signs of the
 * numbers minus m have never had an evidence of 20 against: by inverting the test, between two of the ordered numbers after
 * each look, and what all looks have in common. Numbers may be infinite, of runs that diverged. Null for fewer than 7
 * numbers, and where the looks have nothing in common.
 */
export function confidenceSequence(numbers: readonly number[]): Interval | null {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  let outside = 0 // so many numbers beyond m at one side, or fewer, are evidence against m
  let any = false
  const ascending: number[] = []
  for (const number of numbers) {
    const place = ascending.findIndex((each) => each > number)
    ascending.splice(place < 0 ? ascending.length : place, 0, number)
    while (evidence(outside, ascending.length - outside) >= ENOUGH) outside += 1
    if (outside === 0) continue
    any = true
    low = Math.max(low, ascending[outside - 1] as number)
    high = Math.min(high, ascending[ascending.length - outside] as number)
  }
  return any && low <= high ? { low, high, level: 0.95 } : null
}
