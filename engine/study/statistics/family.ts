import { holm } from './holm.ts'
import { ALPHA } from './seeds.ts'
import { signFlip, smallestP } from './signFlip.ts'

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
  const ps = variants.map(signFlip)
  const adjusted = holm(ps)
  const open = adjusted.filter((p) => p > ALPHA).length
  const level = ALPHA / Math.max(1, open)
  return variants.map((differences, index) => {
    const own = { p: ps[index] as number, adjusted: adjusted[index] as number }
    const shown = own.adjusted <= ALPHA
    return { ...own, shown, tooFew: !shown && smallestP(differences.length) > level, level }
  })
}
