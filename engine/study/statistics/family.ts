import { holm } from './holm.ts'
import { smallestOneSided } from './margin/oneSided.ts'
import { ALPHA } from './seeds.ts'
import { signFlip, smallestP } from './signFlip.ts'

/** What a test of some seeds says by itself. */
export interface PValue {
  p: number
  /** The smallest p that any outcome of so many seeds could give. */
  smallest: number
  /** Of what is compared within a margin. */
  sides?: Sides | undefined
}

/** The one-sided tests of a mean and a margin. */
export interface Sides {
  /** The p of a mean above minus the margin, and of one below the margin. */
  above: number
  below: number
  seeds: number
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
  /** What is shown of the margin, if there is one. */
  within?: ShownSides | undefined
}

/** Which sides of a margin are shown. */
export interface ShownSides {
  above: boolean
  below: boolean
  /** The larger p of the two, after the correction. */
  adjusted: number
  /** No outcome of so many seeds could have shown both. */
  tooFew: boolean
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
 * the 5% (Bonferroni), so that what one of them shows depends on no run of the others. That a mean is 0, that it is at or below minus the margin, and that it is at or
 * above it exclude each other: at most one of the three is true of a comparison, and between them nothing is corrected.
 */
export function corrected(tests: readonly PValue[], studies = 1): Test[] {
  const hypotheses = tests.flatMap(({ p, sides }, of) =>
    (sides ? [p, sides.above, sides.below] : [p]).map((each) => ({ p: each, of })),
  )
  const adjusted = holm(
    hypotheses.map(({ p }) => p),
    hypotheses.map(({ of }) => of),
  ).map((p) => Math.min(1, p * studies))
  const open = new Set(hypotheses.flatMap(({ of }, i) => ((adjusted[i] as number) > ALPHA ? [of] : []))).size
  const level = ALPHA / Math.max(1, open) / studies
  return tests.map(({ p, smallest, sides }, index) => {
    const [own = 1, above = 1, below = 1] = adjusted.filter((_, i) => hypotheses[i]?.of === index)
    const shown = own <= ALPHA
    return {
      ...{ p, adjusted: own, shown, tooFew: !shown && smallest > level, level },
      ...(sides && { within: shownSides(above, below, smallestOneSided(sides.seeds) > level) }),
    }
  })
}

function shownSides(above: number, below: number, isTooFew: boolean): ShownSides {
  const isShown = { above: above <= ALPHA, below: below <= ALPHA }
  const tooFew = isTooFew && !(isShown.above && isShown.below)
  return { ...isShown, adjusted: Math.max(above, below), tooFew }
}
