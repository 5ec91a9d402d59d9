import { keyOf, normal } from '../../random.ts'
import { normalCdf, normalQuantile } from './normal.ts'
import { fewestSeeds, POWER } from './seeds.ts'
import { isShown } from './signFlip.ts'
import { studentTQuantile } from './studentT.ts'

/** Up to so many seeds the test itself is simulated; beyond, it is as good as the t test. */
const SIMULATED = 12
const STUDIES = 4000
/** More seeds than a study is planned with. */
const MOST = 200
/** An effect that is shown wherever one can be: of all seeds that can reach 0.05, these have the same sign. */
const LARGEST = 4

/**
 * Statistical power of the two-sided sign-flip test of `seeds` numbers at a level: the probability that it shows a mean of
 * `effect` standard deviations, where the numbers are normal. Up to 12 seeds the share of 4,000 simulated studies, the same
 * in every call, whose means are spread as the quantiles of their distribution; beyond, that of the t test (Hoeffding, "The
 * Large-Sample Power of Tests Based on Permutations of Observations", 1952). Within a point of what simulations give.
 */
export function power(effect: number, seeds: number, level: number): number {
  if (seeds < fewestSeeds(level)) return 0
  return seeds <= SIMULATED ? simulated(effect, seeds, level) : ofStudent(effect, seeds, level)
}

const smallest = new Map<string, number | null>()

/** The smallest effect, in standard deviations, that is shown with a power of 0.8; null where nothing can be. */
export function smallestEffect(seeds: number, level: number): number | null {
  const name = `${seeds} ${level}`
  const known = smallest.has(name) ? (smallest.get(name) as number | null) : foundSmallest(seeds, level)
  smallest.set(name, known)
  return known
}

function foundSmallest(seeds: number, level: number): number | null {
  return smallestFor((effect) => power(effect, seeds, level))
}

/** The smallest effect with a power of 0.8, of which `power` tells that of an effect; null where none has. */
export function smallestFor(power: (effect: number) => number): number | null {
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
  const size = Math.abs(effect)
  for (let seeds = fewestSeeds(level); seeds <= MOST; seeds++) if (power(size, seeds, level) >= POWER) return seeds
  return null
}

/** By seeds, numbers of studies without an effect, of mean 0 and sd 1, a study after the other. */
const drawn = new Map<number, Float64Array>()

function simulated(effect: number, seeds: number, level: number): number {
  const noise = drawn.get(seeds) ?? noiseOf(seeds)
  drawn.set(seeds, noise)
  let shown = 0
  const numbers = new Float64Array(seeds)
  for (let study = 0; study < STUDIES; study++) {
    for (let i = 0; i < seeds; i++) numbers[i] = effect + (noise[study * seeds + i] as number)
    if (isShown(numbers, level)) shown += 1
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
export function sampleSds(freedom: number): { sd: number; weight: number }[] {
  const found = Array.from({ length: PARTS }, (_, i) => {
    const sd = (2.5 * (i + 1)) / PARTS
    return { sd, weight: Math.exp((freedom - 1) * Math.log(sd) - (freedom * (sd * sd - 1)) / 2) }
  })
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  return found.map(({ sd, weight }) => ({ sd, weight: weight / total }))
}
