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
  /** After Holm's correction for all variants, times the studies that were planned together. */
  adjusted: number
  /** Whether a difference is shown: the adjusted p is at most 0.05. */
  shown: boolean
  /** No outcome of so many pairs could have shown one. */
  tooFew: boolean
  /** The p below which this comparison would be shown next: 0.05 over the comparisons not shown yet, and over the studies. */
  level: number
}

/**
 * Tests the differences of each variant from the baseline. Whatever the number of variants, at most 5% of all studies
 * without any difference show one. A variant without pairs counts with p = 1: a failure makes no other claim easier.
 */
export function testFamily(variants: readonly (readonly number[])[], studies = 1): Test[] {
  return corrected(variants.map(flipped), studies)
}

/** The sign-flip test of one list of differences. */
export function flipped(differences: readonly number[]): PValue {
  return { p: signFlip(differences), smallest: smallestP(differences.length) }
}

/**
 * Tests of one family, by Holm's correction. Each of several `studies` that were planned together gets an equal share of
 * the 5% (Bonferroni), so that what one of them shows depends on no run of the others.
 */
export function corrected(tests: readonly PValue[], studies = 1): Test[] {
  const adjusted = holm(tests.map(({ p }) => p)).map((p) => Math.min(1, p * studies))
  const open = adjusted.filter((p) => p > ALPHA).length
  const level = ALPHA / Math.max(1, open) / studies
  return tests.map(({ p, smallest }, index) => {
    const own = { p, adjusted: adjusted[index] as number }
    const shown = own.adjusted <= ALPHA
    return { ...own, shown, tooFew: !shown && smallest > level, level }
  })
}
