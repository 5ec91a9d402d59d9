import { MixlabError } from '../../errors.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import { median } from '../time/median.ts'
import { effect, recordOf } from './distributions.ts'
import { newestEnded, type SeedNumber } from './failures.ts'
import type { Claim, ComparedRun, Failures, Interval, Judgement, Look, Looks } from './judgement.ts'
import { plural, ratio } from './sentences.ts'
import { ENOUGH } from './signFlip.ts'

/** The prior of the chance of the likelier sign: Beta(20, 4), whose median is 0.84, the chance at an effect of about 1. */
const LIKELIER = 20
const OTHER = 4

/**
 * The evidence of `more` positive and `less` negative signs against the hypothesis that both are equally likely, an
 * e-process: the capital of who began with 1 and has bet on each next sign at even odds. Half of it bets on a positive
 * median and half on a negative one, each by the mixture of all stakes under a Beta(20, 4) prior (Robbins, "Statistical
 * Methods Related to the Law of the Iterated Logarithm", 1970; Shafer, "Testing by Betting", 2021; Waudby-Smith and Ramdas,
 * "Estimating Means of Bounded Random Variables by Betting", 2023). Since it is a martingale with mean 1, it ever reaches
 * 20 in at most 5% of studies without any difference, however often one looks (Ville's inequality). It depends on the two
 * counts alone, not on their order. At most 1,000 signs, beyond which it overflows.
 */
export function evidence(more: number, less: number): number {
  return (capital(more, less) + capital(less, more)) / 2
}

/** The capital of who expects `hits`: 2^n times the mean of p^hits (1 - p)^misses over the prior, as a product of factors near 1. */
function capital(hits: number, misses: number): number {
  let product = 1
  for (let i = 0; i < hits; i++) product *= (2 * (LIKELIER + i)) / (LIKELIER + OTHER + i)
  for (let i = 0; i < misses; i++) product *= (2 * (OTHER + i)) / (LIKELIER + OTHER + hits + i)
  return product
}

/** The fewest seeds that can have so much evidence: all have one sign. */
export function fewestLooks(wanted = ENOUGH): number {
  let seeds = 1
  while (evidence(seeds, 0) < wanted) seeds += 1
  return seeds
}

/**
 * Evidence corrected for several comparisons, in the order given: the smallest mean of the evidence of any set of them that
 * has this one. Claiming what then reaches 20, any false claim is made in at most 5% of studies, however the comparisons
 * depend on each other (Vovk and Wang, "E-values: Calibration, Combination and Applications", 2021, algorithm 1; by the
 * closure principle it is to e-values what Holm's correction is to p-values). Since means of martingales are martingales,
 * that holds under looks at any time, too.
 */
export function eHolm(evidences: readonly number[]): number[] {
  const ascending = evidences.toSorted((a, b) => a - b)
  return evidences.map((own) => {
    let smallest = own
    let sum = own
    for (const [place, other] of ascending.entries()) {
      if (other >= own) break
      sum += other
      smallest = Math.min(smallest, sum / (place + 2))
    }
    return smallest
  })
}

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

/** How a study is looked at: after every seed, in their order, up to a last one. */
export interface AnytimeSeeds {
  /** The last seed. */
  upTo: number
}

/** Whether a value is `{ upTo }` and nothing more, a whole number up to `most`. */
export function isUpTo(value: unknown, most: number): value is AnytimeSeeds {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'upTo') return false
  const { upTo } = value as AnytimeSeeds
  return Number.isInteger(upTo) && upTo >= 1 && upTo <= most
}

/** Whether seeds are given as a last one, up to which a study is looked at. */
export function isAnytime(seeds: number | number[] | AnytimeSeeds | undefined): seeds is AnytimeSeeds {
  return typeof seeds === 'object' && !Array.isArray(seeds)
}

/** The seeds of a plan with looks. */
export function seedsUpTo({ upTo }: AnytimeSeeds): number[] {
  return Array.from({ length: upTo }, (_, i) => i + 1)
}

/** Throws MixlabError `option` for a plan that can decide nothing. */
export function checkSeedsUpTo({ upTo }: AnytimeSeeds, path: string): void {
  const needed = fewestLooks()
  if (upTo >= needed) return
  const most = `${plural(upTo, 'seed')} cannot decide anything: where all agree the evidence is ${ratio(evidence(upTo, 0))}`
  throw new MixlabError('option', path, `${most}, and ${ENOUGH} to 1 decides; at least ${needed}`)
}

/** What a plan with looks can show in `comparisons`, of a study that was planned together with others, if any; in words. */
export function looksText(upTo: number, comparisons: number, studies = 1): string {
  if (comparisons === 0) return 'one variant: there is nothing to compare it with'
  const one = fewestLooks(ENOUGH * comparisons * studies)
  const alone = comparisons > 1 ? `, one of ${comparisons} comparisons alone with seed ${one}` : ''
  const all = fewestLooks(ENOUGH * studies)
  return `looked at after every seed, up to ${upTo}: decided with seed ${all} at the earliest${alone}`
}

/** What is known of one comparison after every look, and the signs with which it was decided, if it was. */
export interface LookedTest extends Looks {
  /** Whether it was decided. */
  shown: boolean
  /** 1 or -1: the sign that more seeds had when it was decided. */
  sign: number
  /** The highest evidence so far, by itself and corrected. */
  highest: number
  highestCorrected: number
}

/** Signs after so many seeds. */
interface Count {
  more: number
  less: number
}

/** Evidence at 20 that rounding has left below it. */
const ROUNDING = 1e-12

/**
 * Bets on the signs of the numbers of several comparisons, seed after seed in the order of the plan, and corrects the
 * evidence for all of them. Each has the numbers of the first seeds of `plan`, as many as are over; 0, what is rounding,
 * and NaN are no bets. What has been decided once stays decided, whatever comes later. Of several `studies` that were planned
 * together each has its share of the 5%, so that the evidence is divided by how many they are.
 */
export function lookFamily(
  parts: readonly (readonly SeedNumber[])[],
  plan: readonly number[],
  studies = 1,
): LookedTest[] {
  const shared = (evidences: readonly number[]) => eHolm(evidences).map((each) => each / studies)
  const counts = parts.map(countsOf)
  const longest = Math.max(0, ...counts.map(({ length }) => length))
  const looks = plan.slice(0, longest).map((seed, look) => {
    const own = counts.map((each) => evidenceAt(each[Math.min(look, each.length - 1)]))
    return { seed, own, corrected: shared(own) }
  })
  const best = shared(counts.map((each) => bestOf(each.at(-1), plan.length - each.length)))
  return counts.map((each, part) => {
    const path = looks.map(({ seed, corrected }): Look => ({ seed, evidence: corrected[part] as number }))
    const at = path.findIndex(({ evidence }) => isEnough(evidence))
    const { more = 0, less = 0 } = each[Math.min(at, each.length - 1)] ?? {}
    return {
      path,
      evidence: (at < 0 ? path.at(-1) : path[at])?.evidence ?? 1,
      decidedWith: path[at]?.seed ?? null,
      reachable: isEnough(best[part] as number),
      plan: plan.length,
      shown: at >= 0,
      sign: more > less ? 1 : -1,
      highest: Math.max(1, ...looks.map(({ own }) => own[part] as number)),
      highestCorrected: Math.max(1, ...path.map(({ evidence }) => evidence)),
    }
  })
}

function countsOf(numbers: readonly SeedNumber[]): Count[] {
  let [more, less] = [0, 0]
  return numbers.map(({ number }) => {
    if (number > 0) more += 1
    if (number < 0) less += 1
    return { more, less }
  })
}

const evidenceAt = (count: Count | undefined) => (count ? evidence(count.more, count.less) : 1)

/** The most evidence that a comparison can have when `left` more seeds are over: all of them have one sign. */
function bestOf({ more, less }: Count = { more: 0, less: 0 }, left: number): number {
  return Math.max(evidence(more + left, less), evidence(more, less + left))
}

function isEnough(evidence: number): boolean {
  return evidence >= ENOUGH * (1 - ROUNDING)
}

/**
 * The outcome of each seed of `plan` in its order, up to the first of which a run is not over: evidence counts in the order
 * of the plan, never in that of arrival. A seed without a number makes no bet. A run that diverged lies infinitely far on the
 * worse side, whose sign is `worst`; 0 where no side is. Where both sides failed, nothing is known.
 */
export function outcomesOf(
  { numbers, variants }: { numbers: readonly SeedNumber[]; variants: readonly string[] },
  runs: readonly ComparedRun[],
  plan: readonly number[],
  worst: number,
): SeedNumber[] {
  const known = new Map(numbers.map((each) => [each.seed, each]))
  const ended = variants.map((variant) => newestEnded(runs, variant))
  const first = plan.findIndex((seed) => ended.some((own) => !own.has(seed)))
  return plan.slice(0, first < 0 ? plan.length : first).map((seed) => {
    const own = known.get(seed) ?? { seed, number: Number.NaN, size: 0, failed: [], lost: 0 }
    if (Number.isFinite(own.number) || own.lost === 0) return own
    return { ...own, number: worst === 0 ? Number.NaN : own.lost * worst }
  })
}

/** What a run that diverged is worth in the metric: infinitely much on its worse side; 0 where it has none. */
export function worstOf({ better }: Pick<MetricMeaning, 'better'>): number {
  return better === undefined ? 0 : better === 'lower' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

/** The seed of the plan that is not over though a later one, among `found`, is: evidence ends before it. */
export function gapIn(plan: readonly number[], over: number, found: readonly { seed: number }[]): number[] {
  const gap = plan[over]
  return gap !== undefined && found.some(({ seed }) => plan.indexOf(seed) > over) ? [gap] : []
}

/** Judges the numbers of the seeds that are over, in the order of the plan, by the evidence of their signs; NaN is none. */
export function judgeLooks(
  numbers: readonly SeedNumber[],
  { shown: _, sign, highest, highestCorrected, ...looks }: LookedTest,
  { better }: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
  failures: Failures,
): Judgement {
  const direction = better === 'lower' ? -1 : 1
  const known = numbers.filter(({ number }) => !Number.isNaN(number))
  const all = known.map(({ number }) => number)
  const sound = known.length > 0 && problems.length === 0
  const decided = sound && looks.decidedWith !== null
  const claim: Claim = decided ? (better ? (sign === direction ? 'better' : 'worse') : 'different') : 'open'
  const middle = median(all)
  return {
    claim: claim === 'open' && sound && known.length < fewestLooks() ? 'too few' : claim,
    difference: middle === null || Number.isNaN(middle) ? null : middle,
    interval: confidenceSequence(all),
    p: sound ? 1 / highest : null,
    adjusted: sound ? 1 / highestCorrected : null,
    effect: effect(all.filter(Number.isFinite)),
    ...recordOf(all, direction),
    ties: numbers.length - all.filter((each) => each !== 0).length,
    moreSeeds: decided ? 0 : null,
    failures,
    looks,
  }
}
