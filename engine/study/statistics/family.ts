import { holm } from './holm.ts'
import { ALPHA } from './seeds.ts'
import { signFlip, smallestP } from './signFlip.ts'

/** What a test of some seeds says by itself. */
export interface PValue {
  p: number
  /** The smallest p that any outcome of so many seeds could give. */
  smallest: number
}

/** What the tests of one variant say. */
export interface Test {
  p: number
  /** After Holm's correction for all variants. */
  adjusted: number
  /** Whether a difference is shown: the adjusted p is at most 0.05. */
  shown: boolean
  /** No outcome of so many pairs could have shown one. */
  tooFew: boolean
  /** The p below which this comparison would be shown next: 0.05 divided by the number of comparisons not shown yet. */
  level: number
}

/**
 * Tests the differences of each variant from the baseline. Whatever the number of variants, at most 5% of all studies
 * without any difference show one. A variant without pairs counts with p = 1: a failure makes no other claim easier.
 */
export function testFamily(variants: readonly (readonly number[])[]): Test[] {
  return corrected(variants.map(flipped))
}

/** The sign-flip test of one list of differences. */
export function flipped(differences: readonly number[]): PValue {
  return { p: signFlip(differences), smallest: smallestP(differences.length) }
}

/** Tests of one family, by Holm's correction. */
export function corrected(tests: readonly PValue[]): Test[] {
  const adjusted = holm(tests.map(({ p }) => p))
  const open = adjusted.filter((p) => p > ALPHA).length
  const level = ALPHA / Math.max(1, open)
  return tests.map(({ p, smallest }, index) => {
    const own = { p, adjusted: adjusted[index] as number }
    const shown = own.adjusted <= ALPHA
    return { ...own, shown, tooFew: !shown && smallest > level, level }
  })
}
