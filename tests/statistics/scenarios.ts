// The studies that `npm run simulate` draws. They were fixed before the tests of the verdicts were chosen: change them only
// with a new table of figures in docs/statistics.md.
import { type Key, normal, uniform } from '../../engine/random.ts'

/** Studies of each scenario, effect and number of seeds. */
export const STUDIES = 2000
/** Accuracy of a run that learns, and the standard deviation of a paired difference. */
export const LEVEL = 0.85
export const SD = 0.01
/** Accuracy of a run that learns nothing: one of ten classes. */
export const CHANCE = 0.1
/** Runs that learn late end between chance and this accuracy. */
const LATE = 0.15

/** A draw with mean 0 and standard deviation 1 from the stream `key` at `place`. */
type Noise = (key: Key, place: number) => number

const skewed: Noise = (key, place) => -Math.log(1 - uniform(key, place)) - 1
/** Student's t with 3 degrees of freedom over its standard deviation. */
const t3: Noise = (key, place) => {
  const [own, ...three] = [0, 1, 2, 3].map((i) => normal(key, 4 * place + i)) as [number, number, number, number]
  return own / Math.sqrt(three.reduce((sum, each) => sum + each * each, 0) / 3) / Math.sqrt(3)
}

/** One run: its accuracy, or null where it diverged. */
export type Outcome = number | null

/** Two variants over seeds, compared as a pair. */
export interface PairScenario {
  name: string
  /** Seeds of a study. */
  seeds: readonly number[]
  /** True differences on the seeds that learn, in standard deviations of a difference. */
  effects: readonly number[]
  /** The standard deviation of a difference on seeds that learn; SD by default. */
  sd?: number
  noise: Noise
  /** Whether only the variant is noisy, so that a skewed noise makes a skewed difference. */
  oneSided?: true
  /** Accuracies of the variant and the baseline where they learn; both LEVEL by default. */
  levels?: readonly [variant: number, baseline: number]
  /** Shares of seeds on which the variant, and the baseline, learn nothing or diverge. */
  late?: readonly [variant: number, baseline: number]
  diverged?: readonly [variant: number, baseline: number]
  /** Asked for equality within this margin. */
  margin?: number
  /** Looked at after every seed, up to the last. */
  looks?: true
}

const FEW = [5, 6, 7, 8, 12]
const EFFECTS = [0, 0.5, 1, 1.5, 2]

export const PAIRS: readonly PairScenario[] = [
  { name: 'normal', seeds: FEW, effects: EFFECTS, noise: normal },
  { name: 't3', seeds: FEW, effects: EFFECTS, noise: t3 },
  { name: 'exponential differences', seeds: FEW, effects: [0, 1], noise: skewed, oneSided: true },
  { name: '1 of 5 late', seeds: FEW, effects: [0, 2], noise: normal, late: [0.2, 0] },
  { name: '1 of 5 late in both', seeds: FEW, effects: [0, 2], noise: normal, late: [0.2, 0.2] },
  { name: '1 of 10 late', seeds: FEW, effects: [0, 2], noise: normal, late: [0.1, 0] },
  { name: '1 of 3 diverged', seeds: [6, 9, 12], effects: [0, 2], noise: normal, diverged: [1 / 3, 0] },
  { name: '1 of 3 late', seeds: [6, 9, 12], effects: [0, 2], noise: normal, late: [1 / 3, 0] },
  { name: '1 of 3 late in both', seeds: [6, 9, 12], effects: [0], noise: normal, late: [1 / 3, 1 / 3] },
  { name: 'steadily lower', seeds: [6, 8, 12], effects: [0], sd: 0.03, noise: normal, levels: [0.39, 0.9] },
  { name: 'lower, 1 of 5 late', seeds: [6, 8, 12], effects: [0], noise: normal, levels: [0.39, 0.9], late: [0.2, 0] },
  { name: 'all at chance', seeds: [6, 8, 12], effects: [0], noise: normal, levels: [CHANCE, CHANCE] },
  { name: 'always late', seeds: [5, 6, 8], effects: [0], noise: normal, late: [1, 0] },
  { name: 'margin 1 sd', seeds: FEW, effects: [0, 1], noise: normal, margin: SD },
  { name: 'margin, 1 of 10 late', seeds: FEW, effects: [0], sd: SD / 3, noise: normal, margin: SD, late: [0.1, 0] },
  { name: 'looks, normal', seeds: [12, 24], effects: [0, 1, 1.5], noise: normal, looks: true },
  { name: 'looks, exponential differences', seeds: [24], effects: [0], noise: skewed, oneSided: true, looks: true },
]

/** The accuracies of one seed of a pair, the variant first. */
export function pairOf(scenario: PairScenario, effect: number, key: Key, seed: number): [Outcome, Outcome] {
  const { noise, oneSided, sd = SD, levels = [LEVEL, LEVEL], late = [0, 0], diverged = [0, 0] } = scenario
  const shared = SD * normal(key, 8 * seed)
  const own = [effect * sd, 0].map((shift, arm) => {
    const scale = oneSided ? (arm === 0 ? sd : 0) : sd / Math.SQRT2
    return (levels[arm] as number) + shared + shift + scale * noise(key, 1_000_000 + 2 * seed + arm)
  })
  return own.map((value, arm): Outcome => {
    const chance = uniform(key, 2_000_000 + 2 * seed + arm)
    if (chance < (diverged[arm] as number)) return null
    if (chance >= (late[arm] as number)) return value
    return CHANCE + (LATE - CHANCE) * uniform(key, 3_000_000 + 2 * seed + arm)
  }) as [Outcome, Outcome]
}

/** What is true of a pair: of the mean and the median on seeds that learn, of the mean over all seeds, of the failures. */
export function truthOf(scenario: PairScenario, effect: number) {
  const { noise, oneSided, sd = SD, levels = [LEVEL, LEVEL], late = [0, 0], diverged = [0, 0] } = scenario
  const learned = effect * sd + levels[0] - levels[1]
  const lost = late.map((share, arm) => share * ((levels[arm] as number) - (CHANCE + LATE) / 2)) as [number, number]
  const isSkewed = oneSided && noise === skewed
  return {
    learned,
    median: learned + (isSkewed ? (Math.LN2 - 1) * sd : 0),
    all: learned - late[0] * effect * sd - lost[0] + lost[1],
    failures: late[0] + diverged[0] - late[1] - diverged[1],
  }
}

/** A factor of numbers along which nothing changes in the mean, while the noise grows with the level. */
export interface GrowingScenario {
  name: string
  seeds: readonly number[]
  ask: 'slope' | 'trend'
  levels: readonly number[]
  noise: Noise
}

const LEVELS = [1, 2, 4, 8]
export const GROWING: readonly GrowingScenario[] = (['slope', 'trend'] as const).flatMap((ask) => [
  { name: `${ask}, growing normal noise`, seeds: [6, 8, 12], ask, levels: LEVELS, noise: normal },
  { name: `${ask}, growing exponential noise`, seeds: [6, 8, 12], ask, levels: LEVELS, noise: skewed },
])

export function growingOf({ levels, noise }: GrowingScenario, place: number, key: Key, seed: number): number {
  return LEVEL + (SD * (levels[place] as number) * noise(key, seed * levels.length + place)) / 2
}

/** Two blocks over a grid of rates, asked which is better at its best rate. */
export interface GridScenario {
  name: string
  seeds: readonly number[]
  rates: number
  /** Whether the rate at a place is a good one for the first block, and for the second; another is two sd worse. */
  isGood: (block: number, rate: number) => boolean
  /** How much better the second block is at its good rates, in standard deviations of a run. */
  effect: number
}

const only = (block: number, rate: number) => block === 1 || rate === 0
const same = (_: number, rate: number) => rate === 1
const all = () => true
export const GRIDS: readonly GridScenario[] = [3, 5, 9].flatMap((rates) => [
  { name: `best, good at 1 and ${rates} of ${rates} rates`, seeds: [8], rates, isGood: only, effect: 0 },
  { name: `best, good at one of ${rates} rates`, seeds: [8], rates, isGood: same, effect: 0 },
  { name: `best, all of ${rates} rates good`, seeds: [8], rates, isGood: all, effect: 0 },
  { name: `best, good at one of ${rates} rates, better`, seeds: [6, 8, 12], rates, isGood: same, effect: 1.5 },
])

/** Two blocks, each at its own rate, which pilots choose from a grid. Validation has the noise of the test and its own. */
export interface TunedScenario extends GridScenario {
  pilots: number
}

const peaked = (block: number, rate: number) => rate === (block === 0 ? 1 : 2)
const two = (_: number, rate: number) => rate === 1 || rate === 2
export const TUNED: readonly TunedScenario[] = [2, 3].flatMap((pilots) => {
  const base = { seeds: [6, 8, 12], rates: 4, pilots }
  const name = `tuned by ${pilots} pilots`
  return [
    { ...base, name: `${name}, one of 4 rates good`, isGood: peaked, effect: 0 },
    { ...base, name: `${name}, two of 4 rates good`, isGood: two, effect: 0 },
    { ...base, name: `${name}, 1 and 4 of 4 rates good`, isGood: only, effect: 0 },
    { ...base, name: `${name}, one of 4 rates good, better`, isGood: peaked, effect: 1.5 },
    { ...base, name: `${name}, two of 4 rates good, better`, isGood: two, effect: 1.5 },
  ]
})

/** Studies planned from the spread of pilot seeds to show a difference with a power of 80%. */
export const PLANNED = [2, 3, 5].map((pilots) => ({
  name: `power planned from ${pilots} pilot seeds`,
  pilots,
  effect: 1.5,
}))

export function gridOf(scenario: GridScenario, block: number, rate: number, key: Key, seed: number): number {
  const { isGood, effect, rates } = scenario
  const mean = (isGood(block, rate) ? 0 : -2) + (block === 1 ? effect : 0)
  return LEVEL + SD * (mean + normal(key, (seed * 2 + block) * rates + rate))
}

/** Variants that are compared with one baseline, each in a study of its own; all are equal, or the last is better. */
export const ONE_AT_A_TIME = [
  { name: '60 equal variants, one at a time', variants: 60, seeds: 8, effect: 0 },
  { name: 'the 10th of 10 is better by 2 sd', variants: 10, seeds: 12, effect: 2 },
  { name: 'the 60th of 60 is better by 2 sd', variants: 60, seeds: 12, effect: 2 },
] as const

export function oneOf(variant: number, shift: number, key: Key, seed: number): number {
  return LEVEL + SD * (shift + normal(key, variant * 1000 + seed) / Math.SQRT2)
}
