import type { MetricMeaning } from '../../records/meaning.ts'
import { meanOf } from '../summary.ts'
import type { BestOf } from './bestOf.ts'
import { effect, normalQuantile, recordOf } from './distributions.ts'
import { failureBound, type LearnedRule, measured, type SeedNumber } from './failures.ts'
import { flipped, type PValue, type ShownSides, type Test } from './family.ts'
import type { Claim, Failures, Interval, Judgement, Within } from './judgement.ts'
import { MAX_EXTRA_SEEDS, POWER, seedsFor } from './power.ts'
import { ALPHA, fewestOneSided, fewestSeeds, flipInterval, oneSided } from './signFlip.ts'

/** What is compared, and how far it can be. */
export interface Compared {
  numbers: readonly SeedNumber[]
  /** The variants whose runs the numbers are computed from. */
  variants: readonly string[]
  /** By which these runs have learned. */
  rule: LearnedRule
  margin?: number | undefined
  /** Whether one side can fail more than the other: the numbers are differences of two sides. */
  sided: boolean
  /** Whether no value varies over the seeds. */
  counted: boolean
  /** The joint test of the best choices, where anything is chosen from. */
  best?: BestOf | undefined
  /** Whether another test than that of the mean decides. */
  ownTest?: boolean | undefined
}

/**
 * The tests of numbers: of a difference of the mean over the seeds that learned, with a margin the two one-sided tests (TOST)
 * of a mean above minus the margin and of one below it (Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and
 * the Power Approach", 1987), and of which side fails on more seeds: the sign-flip test of the failures, which for a pair is
 * McNemar's exact test.
 */
export function testOf({ numbers, margin, sided, counted, best }: Omit<Compared, 'variants' | 'rule'>): PValue {
  const { about, numbers: own } = measured(numbers)
  const values = own.map(({ number }) => number)
  if (counted && values.some((value) => value !== 0)) return { ...flipped([]), untested: true }
  const lost = numbers.flatMap(({ lost }) => (lost === 0 ? [] : [lost]))
  const isCompared = sided && lost.length > 0 && (about === 'learned' || values.length < fewestSeeds(ALPHA))
  const sides = margin !== undefined && {
    above: best?.above(-margin) ?? oneSided(values.map((value) => value + margin)),
    below: best?.below(margin) ?? oneSided(values.map((value) => margin - value)),
    seeds: values.length,
  }
  return {
    ...(best ? { p: best.p, smallest: best.smallest } : flipped(values)),
    ...(sides && { sides }),
    ...(isCompared && { failures: flipped(lost) }),
  }
}

/** Judges numbers, one per seed, by their test. With any `problems` there is no claim. */
export function judge(
  compared: Compared,
  test: Test,
  meaning: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
): Judgement {
  const { numbers, margin, counted, best } = compared
  const direction = meaning.better === 'lower' ? -1 : 1
  const all = measured(numbers).numbers.map(({ number }) => number)
  const intervalOf = best ? best.interval : (level: number) => flipInterval(all, level)
  const isSound = problems.length === 0
  const isTested = all.length > 0 && isSound && !(counted && all.some((value) => value !== 0))
  const within = isTested && test.within && margin !== undefined && withinOf(all, margin, test.within, intervalOf)
  const failures = failuresOf(compared, isSound ? test : undefined)
  const claim = claimBy(compared, test, meaning, problems)
  const isOfMargin = within && (claim === 'equal' || claim === 'not worse' || claim === 'not better')
  return {
    claim,
    difference: all.length > 0 ? meanOf(all) : null,
    interval: counted ? null : isOfMargin ? within.interval : intervalOf(test.level),
    p: isTested ? test.p : null,
    adjusted: isTested ? test.adjusted : null,
    effect: counted ? null : effect(all),
    ...recordOf(all, direction),
    moreSeeds: isTested ? moreSeeds(all, test) : null,
    failures,
    ...(within && { within }),
  }
}

/** What a test claims of numbers; with any `problems` nothing. */
export function claimBy(
  compared: Compared,
  test: Test,
  { better }: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
): Claim {
  if (problems.length > 0) return 'open'
  const all = measured(compared.numbers).numbers.map(({ number }) => number)
  return claimOf(compared, test, all, failuresOf(compared, test).claim, better && (better === 'lower' ? -1 : 1))
}

/** `wanted` is the sign of what is better, if any. */
function claimOf(
  { counted, ownTest }: Compared,
  test: Test,
  all: readonly number[],
  failures: Failures['claim'],
  wanted: number | undefined,
): Claim {
  const isSame = all.length > 0 && all.every((value) => value === 0)
  if (counted && all.length > 0 && !isSame) return 'counted'
  const mean = meanClaim(test, all, wanted)
  if (failures) {
    if (mean !== 'better' && mean !== 'worse') return failures === 'less' ? 'fails less' : 'fails more'
    return (mean === 'better') === (failures === 'less') ? mean : 'mixed'
  }
  return isSame && mean !== 'equal' && !ownTest ? 'same' : mean
}

function meanClaim(test: Test, all: readonly number[], wanted: number | undefined): Claim {
  if (test.shown) return wanted === undefined ? 'different' : Math.sign(meanOf(all)) === wanted ? 'better' : 'worse'
  const { above = false, below = false } = test.within ?? {}
  if (above && below) return 'equal'
  if (wanted !== undefined && (above || below)) return above === wanted > 0 ? 'not worse' : 'not better'
  return test.tooFew ? 'too few' : 'open'
}

function moreSeeds(all: readonly number[], { shown, tooFew, level }: Test): number | null {
  if (shown || (!tooFew && all.every((value) => value === 0))) return 0
  const size = effect(all)
  const needed = size === null ? fewestSeeds(level) : seedsFor(Math.abs(size), level, all.length)
  return needed === null ? null : Math.max(1, needed - all.length)
}

/** How many seeds failed, by variant, and what the tests say of that. */
export function failuresOf(
  { numbers, variants, rule: { threshold } }: Pick<Compared, 'numbers' | 'variants' | 'rule'>,
  test?: Pick<Test, 'failures'>,
): Failures {
  const seeds = numbers.length
  const learned = numbers.filter(({ failed }) => failed.length === 0).length
  const by = Object.fromEntries(
    [...new Set(variants)].map((variant) => {
      const failed = numbers.filter((each) => each.failed.includes(variant)).length
      return [variant, { failed, seeds, upTo: failureBound(failed, seeds) }]
    }),
  )
  const { p = null, adjusted = null, shown = false } = test?.failures ?? {}
  const lost = numbers.reduce((sum, each) => sum + each.lost, 0)
  const upTo = failureBound(seeds - learned, seeds)
  const claim = shown ? (lost < 0 ? 'less' : 'more') : null
  return { seeds, learned, upTo, by, threshold, about: measured(numbers).about, p, adjusted, claim }
}

/** What numbers show of a margin, by their tests. */
function withinOf(
  numbers: readonly number[],
  margin: number,
  { level, tooFew, ...shown }: ShownSides,
  intervalOf: (level: number) => Interval | null,
): Within {
  const { above, below, adjusted } = shown
  return {
    ...{ margin, above, below, adjusted },
    interval: intervalOf(2 * level),
    inside: numbers.filter((number) => Math.abs(number) < margin).length,
    fewest: tooFew ? fewestOneSided(level) : null,
    moreSeeds: above && below ? 0 : moreForEqual(numbers, margin, level),
  }
}

/**
 * How many more seeds would show a mean of this size within the margin with a power of 80%, by the formula of `seedsFor` with the
 * distance to the margin; the power is that of both tests together, as if the mean were 0 (Julious, "Sample Sizes for Clinical
 * Trials with Normal Data", 2004), and otherwise a little more. Null where it is not within, or beyond 100.
 */
function moreForEqual(numbers: readonly number[], margin: number, level: number): number | null {
  const side = numbers.reduce((sum, value) => sum + value, 0) < 0 ? -1 : 1
  const distance = effect(numbers.map((value) => margin - side * value))
  if (distance === null || distance <= 0) return null
  const z = normalQuantile(1 - level)
  const seeds = Math.ceil(((z + normalQuantile((1 + POWER) / 2)) / distance) ** 2 + z ** 2 / 2)
  const more = Math.max(seeds, fewestOneSided(level)) - numbers.length
  return more > MAX_EXTRA_SEEDS ? null : Math.max(1, more)
}
