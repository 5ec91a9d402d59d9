import { keyOf, normal } from '../../random.ts'
import { normalCdf, normalQuantile, studentTQuantile } from './distributions.ts'
import { plural, significant } from './sentences.ts'
import { evidence, fewestLooks } from './sequentialTest.ts'
import {
  ALPHA,
  ENOUGH,
  fewestOneSided,
  fewestSeeds,
  isShown,
  isShownOneSided,
  smallestP,
  waysAsFar,
} from './signFlip.ts'

/** Statistical power: how probable it should be that a real difference is shown. */
export const POWER = 0.8
export const MAX_EXTRA_SEEDS = 100

/**
 * What so many seeds can show in `comparisons` variants beside the baseline, of each of `studies` that were planned
 * together: the smallest p that they can give after Holm's correction, whether that is at most 0.05, the fewest seeds for which
 * it is, and all of it in words. All are whole; comparisons may be 0.
 */
export function prospect(seeds: number, comparisons: number, studies = 1) {
  const family = comparisons * studies
  const smallest = Math.min(1, smallestP(seeds) * family)
  const enough = family > 0 && smallest <= ALPHA
  const needed = fewestSeeds(ALPHA / Math.max(1, family))
  const beside = studies > 1 ? ` in each of ${studies} studies` : ''
  return {
    ...{ seeds, comparisons, smallest, enough, needed },
    sentence: sentence(seeds, comparisons, smallest, needed, beside),
  }
}

function sentence(seeds: number, comparisons: number, smallest: number, needed: number, beside: string): string {
  if (comparisons === 0) return 'one variant: there is nothing to compare it with'
  const count = plural(seeds, 'seed')
  const several = comparisons > 1 || beside !== ''
  const compared = `${plural(comparisons, 'comparison')}${beside}`
  const p = significant(smallest)
  if (smallest > ALPHA) {
    const who = several ? `with ${compared} ${count}` : count
    const after = several ? " after Holm's correction" : ''
    return `${who} cannot reach ${ALPHA}${after} (smallest p ${p}); ${plural(needed, 'seed')} can`
  }
  if (!several) return `${count} can show a difference: the smallest p is ${p}`
  return `${count} can show a difference: with ${compared} the smallest p after Holm's correction is ${p}`
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

/**
 * How many seeds show a standardised mean difference with a power of 80% at a two-sided `level`:
 * n = ((z_level + z_power) / effect)^2 + z_level^2 / 2 (Guenther, "Sample Size Formulas for Normal Theory t Tests", 1981),
 * and never fewer than can show anything. Null above `MAX_EXTRA_SEEDS` more than `have`.
 */
export function seedsFor(effect: number, level: number, have = 0): number | null {
  const z = normalQuantile(1 - level / 2)
  const seeds = Math.ceil(((z + normalQuantile(POWER)) / effect) ** 2 + z ** 2 / 2)
  return seeds - have > MAX_EXTRA_SEEDS ? null : Math.max(seeds, fewestSeeds(level))
}

/** Up to so many seeds the test itself is simulated; beyond, it is as good as the t test. */
const SIMULATED = 12
/** Where no more ways to sign the numbers than these are within the level, it is not, and is simulated, too. */
const FEW_WAYS = 256
const STUDIES = 4000
/** More seeds than a study is planned with. */
const MOST = 200
/** An effect that is shown wherever one can be: of all seeds that can reach 0.05, these have the same sign. */
const LARGEST = 4
/** How sure it is that the spread is not larger than what is planned for. */
const SURE = 0.8

/**
 * Statistical power of the two-sided sign-flip test of `seeds` numbers at a level: the probability that it shows a mean of
 * `effect` standard deviations, where the numbers are normal. Up to 12 seeds, and at levels
 * that only a few ways to sign the numbers reach, the share of 4,000 simulated studies, the same in every call, whose means
 * are spread as the quantiles of their distribution; beyond, that of the t test (Hoeffding, "The
 * Large-Sample Power of Tests Based on Permutations of Observations", 1952). Within a point of what simulations give.
 */
export function power(effect: number, seeds: number, level: number): number {
  if (seeds < fewestSeeds(level)) return 0
  if (seeds <= SIMULATED) return simulated(effect, seeds, (numbers) => isShown(numbers, level))
  const ways = Math.floor(level * 2 ** (seeds - 1) * (1 + 1e-12))
  if (ways > FEW_WAYS) return ofStudent(effect, seeds, level)
  return simulated(effect, seeds, (numbers) => waysAsFar(numbers, ways) <= ways)
}

const smallest = new Map<string, number | null>()

/** The smallest effect, in standard deviations, that is shown with a power of 0.8; null where nothing can be. */
export function smallestEffect(seeds: number, level: number): number | null {
  const name = `${seeds} ${level}`
  if (!smallest.has(name))
    smallest.set(
      name,
      smallestFor((effect) => power(effect, seeds, level)),
    )
  return smallest.get(name) as number | null
}

/** The smallest effect with a power of 0.8, of which `power` tells that of an effect; null where none has. */
function smallestFor(power: (effect: number) => number): number | null {
  if (power(LARGEST) < POWER) return null
  let low = 0
  let high = LARGEST
  for (let i = 0; i < 9; i++) {
    const middle = (low + high) / 2
    if (power(middle) < POWER) low = middle
    else high = middle
  }
  return high
}

/** The fewest seeds that show an effect with a power of 0.8; null where it takes more than 200. */
export function seedsForPower(effect: number, level: number): number | null {
  return fewestFor(fewestSeeds(level), (seeds) => power(Math.abs(effect), seeds, level))
}

function fewestFor(fewest: number, power: (seeds: number) => number): number | null {
  for (let seeds = fewest; seeds <= MOST; seeds++) if (power(seeds) >= POWER) return seeds
  return null
}

/** By seeds, numbers of studies without an effect, of mean 0 and sd 1, a study after the other. */
const drawn = new Map<number, Float64Array>()

function simulated(effect: number, seeds: number, shows: (numbers: Float64Array) => boolean): number {
  const noise = drawn.get(seeds) ?? noiseOf(seeds)
  drawn.set(seeds, noise)
  let shown = 0
  const numbers = new Float64Array(seeds)
  for (let study = 0; study < STUDIES; study++) {
    for (let i = 0; i < seeds; i++) numbers[i] = effect + (noise[study * seeds + i] as number)
    if (shows(numbers)) shown += 1
  }
  return shown / STUDIES
}

function noiseOf(seeds: number): Float64Array {
  const noise = new Float64Array(STUDIES * seeds)
  const key = keyOf(seeds, 'power')
  for (let study = 0; study < STUDIES; study++) {
    const own = noise.subarray(study * seeds, (study + 1) * seeds)
    for (let i = 0; i < seeds; i++) own[i] = normal(key, study * seeds + i)
    const mean = own.reduce((sum, value) => sum + value, 0) / seeds
    const wanted = normalQuantile((study + 0.5) / STUDIES) / Math.sqrt(seeds)
    for (let i = 0; i < seeds; i++) own[i] = (own[i] as number) - mean + wanted
  }
  return noise
}

/** Parts of the range over which the sample standard deviation is integrated. */
const PARTS = 200

/** Power of the t test: the probability that |mean| / sd is beyond its quantile, over the distribution of the sample sd. */
function ofStudent(effect: number, seeds: number, level: number): number {
  const freedom = seeds - 1
  const ways = 2 ** (seeds - 1) // the p is a multiple of one of them
  const reached = seeds < 50 ? Math.floor(level * ways) / ways : level
  const t = studentTQuantile(1 - reached / 2, freedom)
  const shift = effect * Math.sqrt(seeds)
  return sampleSds(freedom).reduce(
    (sum, { sd, weight }) => sum + weight * (normalCdf(shift - t * sd) + normalCdf(-shift - t * sd)),
    0,
  )
}

/** The sample standard deviations of numbers whose own is 1, and how probable each is: a chi distribution over the root of its freedom. */
function sampleSds(freedom: number): { sd: number; weight: number }[] {
  const found = Array.from({ length: PARTS }, (_, i) => {
    const sd = (2.5 * (i + 1)) / PARTS
    return { sd, weight: Math.exp((freedom - 1) * Math.log(sd) - (freedom * (sd * sd - 1)) / 2) }
  })
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  return found.map(({ sd, weight }) => ({ sd, weight: weight / total }))
}

const EQUAL_STUDIES = 2000
const known = new Map<string, number>()

/**
 * The probability that numbers without any difference are shown to lie within a margin, which is given in their standard
 * deviations, by two one-sided sign-flip tests at a level (TOST). Up to 12 seeds the share of 2,000 simulated studies with
 * normal numbers, the same in every call; beyond, that of two t tests.
 */
export function equalPower(margin: number, seeds: number, level: number): number {
  if (seeds < fewestOneSided(level)) return 0
  const name = `${margin} ${seeds} ${level}`
  const power = known.get(name) ?? (seeds <= SIMULATED ? simulatedEqual : ofStudents)(margin, seeds, level)
  known.set(name, power)
  return power
}

/** The fewest seeds that show it with a power of 0.8; null where it takes more than 200. */
export function seedsForEqual(margin: number, level: number): number | null {
  return fewestFor(fewestOneSided(level), (seeds) => equalPower(margin, seeds, level))
}

function simulatedEqual(margin: number, seeds: number, level: number): number {
  const key = keyOf(seeds, 'equal')
  let shown = 0
  const [above, below] = [new Float64Array(seeds), new Float64Array(seeds)]
  for (let study = 0; study < EQUAL_STUDIES; study++) {
    for (let i = 0; i < seeds; i++) {
      const number = normal(key, study * seeds + i)
      above[i] = margin + number
      below[i] = margin - number
    }
    if (isShownOneSided(above, level) && isShownOneSided(below, level)) shown += 1
  }
  return shown / EQUAL_STUDIES
}

function ofStudents(margin: number, seeds: number, level: number): number {
  const t = studentTQuantile(1 - level, seeds - 1)
  return sampleSds(seeds - 1).reduce((sum, { sd, weight }) => {
    const room = margin * Math.sqrt(seeds) - t * sd
    return room > 0 ? sum + weight * (2 * normalCdf(room) - 1) : sum
  }, 0)
}

const ROUNDING = 1e-12

/**
 * Statistical power after looks: the probability that normal numbers with a mean of `effect` standard deviations have ever had
 * an evidence of 20 times `family` after at most so many seeds, by the number of seeds, from 0 on. Exact: summed over all
 * counts of signs, of which each is positive with the probability that a number is.
 */
function looksPowers(effect: number, upTo: number, family = 1): number[] {
  const chance = normalCdf(effect)
  const needed = ENOUGH * family * (1 - ROUNDING)
  const powers = [0]
  let open = [1] // the probability of each count of positive signs that is not decided
  let decided = 0
  for (let seeds = 1; seeds <= upTo; seeds++) {
    const next = new Array<number>(seeds + 1).fill(0)
    for (const [more, share] of open.entries()) {
      next[more] = (next[more] as number) + share * (1 - chance)
      next[more + 1] = (next[more + 1] as number) + share * chance
    }
    for (const [more, share] of next.entries()) {
      if (share === 0 || evidence(more, seeds - more) < needed) continue
      decided += share
      next[more] = 0
    }
    open = next
    powers.push(decided)
  }
  return powers
}

/** The same after all of them. */
export function looksPower(effect: number, upTo: number, family = 1): number {
  return looksPowers(effect, upTo, family)[upTo] as number
}

/** The smallest effect that is decided with a power of 0.8; null where none is. */
export function smallestLooked(upTo: number, family = 1): number | null {
  return smallestFor((effect) => looksPower(effect, upTo, family))
}

/** The fewest seeds up to which a plan has a power of 0.8 for an effect; null where it takes more than 200. */
export function looksForPower(effect: number, family = 1): number | null {
  const found = looksPowers(effect, MOST, family).findIndex((each) => each >= POWER)
  return found < 0 ? null : Math.max(found, fewestLooks(ENOUGH * family))
}

/**
 * The largest standard deviation that one of a sample with so many degrees of freedom leaves open, with 80%: few pilot seeds
 * often spread too little. Plans are made for it (Browne, "On the Use of a Pilot Sample for Sample Size Determination", 1995).
 */
export function upperSpread(sd: number, freedom: number): number {
  let [low, high] = [0, freedom]
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2
    if (chiSquareCdf(middle, freedom) < 1 - SURE) low = middle
    else high = middle
  }
  return sd * Math.sqrt(freedom / high)
}

/** Chi-square distribution function, by its recursion over the degrees of freedom (Abramowitz and Stegun, 26.4.8). */
function chiSquareCdf(x: number, freedom: number): number {
  const odd = freedom % 2
  let sum = odd ? 2 * normalCdf(Math.sqrt(x)) - 1 : 1 - Math.exp(-x / 2)
  let term = Math.exp(-x / 2) * (odd ? Math.sqrt((2 * x) / Math.PI) : x / 2)
  for (let k = odd ? 1 : 2; k < freedom; k += 2) {
    sum -= term
    term *= x / (k + 2)
  }
  return sum
}
