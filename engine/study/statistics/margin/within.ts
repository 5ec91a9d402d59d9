import { effect } from '../effect.ts'
import { flipped, type PValue, type ShownSides } from '../family.ts'
import { normalQuantile } from '../normal.ts'
import { type SeedNumber, scores } from '../scores.ts'
import { ALPHA, MAX_EXTRA_SEEDS, POWER, plural } from '../seeds.ts'
import type { Within } from '../types.ts'
import { fewestOneSided, oneSided } from './oneSided.ts'

/**
 * The tests of numbers: of a difference, and with a margin the two one-sided tests (TOST) of a mean above minus the margin and
 * of one below it, each at 0.05 of the numbers moved by the margin (Schuirmann, "A Comparison of the Two One-Sided Tests
 * Procedure and the Power Approach", 1987); one of them alone is the test of non-inferiority.
 */
export function testOf(numbers: readonly SeedNumber[], margin?: number | undefined): PValue {
  const test = flipped(scores(numbers))
  if (margin === undefined) return test
  const [above, below] = [scores(numbers, margin), scores(numbers, -margin).map((score) => -score)]
  return { ...test, sides: { above: oneSided(above), below: oneSided(below), seeds: numbers.length } }
}

/** What numbers show of a margin, by their tests. */
export function withinOf(
  numbers: readonly SeedNumber[],
  margin: number,
  { above, below, adjusted, tooFew }: ShownSides,
  level: number,
): Within {
  return {
    ...{ margin, above, below, adjusted },
    inside: numbers.filter((each) => !each.diverged && Math.abs(each.number) < margin).length,
    fewest: tooFew ? fewestOneSided(level) : null,
    moreSeeds: above && below ? 0 : moreSeeds(numbers, margin, level),
  }
}

/**
 * How many more seeds would show a mean of this size within the margin with a power of 80%, by the formula of seeds.ts with the
 * distance to the margin; the power is that of both tests together, as if the mean were 0 (Julious, "Sample Sizes for Clinical
 * Trials with Normal Data", 2004), and otherwise a little more. Null where it is not within, or beyond 100.
 */
function moreSeeds(numbers: readonly SeedNumber[], margin: number, level: number): number | null {
  const finite = numbers.filter(({ diverged }) => !diverged).map(({ number }) => number)
  const side = finite.reduce((sum, value) => sum + value, 0) < 0 ? -1 : 1
  const distance = effect(finite.map((value) => margin - side * value))
  if (distance === null || distance <= 0 || finite.length < numbers.length) return null
  const z = normalQuantile(1 - level)
  const seeds = Math.ceil(((z + normalQuantile((1 + POWER) / 2)) / distance) ** 2 + z ** 2 / 2)
  const more = Math.max(seeds, fewestOneSided(level)) - numbers.length
  return more > MAX_EXTRA_SEEDS ? null : Math.max(1, more)
}

/**
 * What so many seeds cannot show of a margin in `comparisons` variants beside the baseline, in each of several `studies` that
 * were planned together; null where they can.
 */
export function marginProspect(seeds: number, comparisons: number, studies = 1): string | null {
  if (comparisons === 0) return null
  const fewest = fewestOneSided(ALPHA / comparisons / studies)
  if (seeds >= fewest) return null
  return `${plural(seeds, 'seed')} cannot show that anything is equal within the margin; ${plural(fewest, 'seed')} can`
}
