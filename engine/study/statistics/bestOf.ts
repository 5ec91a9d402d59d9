import { integer, keyOf } from '../../random.ts'
import { spread } from '../summary.ts'
import type { Interval } from './judgement.ts'
import { ROUNDING, smallestP } from './signFlip.ts'

/** Up to so many seeds all signs are tried; beyond, `DRAWS` are drawn. */
const EXACT = 12
const DRAWS = 9_999
/** More combinations of what is subtracted are not tried: the worst choices are left out. */
const MOST = 1000
/** Standard errors of their difference by which a choice has to be worse than the best one to be left out. */
const CLEARLY = 2

/** One of several choices, each with its values by seed, of which higher is better; it counts with a weight. */
export interface Side {
  weight: number
  choices: readonly (readonly number[])[]
}

/** A weighted sum of sides, each at its best choice, and its joint test. */
export interface BestOf {
  /** The place of the choice with the best mean, by side. */
  chosen: number[]
  p: number
  smallest: number
  /** The one-sided p of a sum above a bound, and of one below it. */
  above(bound: number): number
  below(bound: number): number
  /** Each sum that the two tests do not reject, each at half of `level`. */
  interval(level: number): Interval | null
}

/**
 * A weighted sum of sides, each at the best of its choices, from the seeds that choose. Its test is a joint sign-flip test:
 * the sum is above a bound where, whatever choice is taken of the sides that are subtracted, some choice of the others lies
 * that far above it. For each choice that is subtracted the statistic is the largest mean over the choices of the others, so
 * that choosing is part of the test; the flip of a seed flips it in all of them; and the largest p of all counts (an
 * intersection-union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", 1982). Choices of the others
 * that are clearly worse than their best take no part. Each bound has one number for each way to flip seeds from which on that
 * way counts as a hit, so that the interval needs no search. With one choice a side it is the test of signFlip.ts. Exact
 * up to 12 seeds.
 */
export function bestOf(sides: readonly Side[]): BestOf {
  const seeds = sides[0]?.choices[0]?.length ?? 0
  const ways = waysOf(seeds)
  const [up, down] = [sides, sides.map(({ weight, choices }) => ({ weight: -weight, choices }))].map((each) =>
    thresholds(each, ways),
  ) as [Float64Array[], Float64Array[]]
  const count = ways.flips.length + 1 // the numbers as they are count, too
  const pOf = (all: readonly Float64Array[], bound: number) =>
    seeds === 0 ? 1 : Math.max(...all.map((own) => (atMost(own, bound) + 1) / count))
  const above = (bound: number) => pOf(up, bound)
  const below = (bound: number) => pOf(down, -bound)
  return {
    chosen: sides.map(({ choices }) => bestPlace(choices)),
    p: Math.min(1, 2 * Math.min(above(0), below(0))),
    smallest: seeds <= EXACT ? smallestP(seeds) : 2 / count,
    ...{ above, below },
    interval(level) {
      if (seeds < 4) return null
      const rank = Math.floor((level / 2) * count * (1 + 1e-12))
      const [low, high] = [up, down].map((all) => Math.min(...all.map((own) => own[Math.max(0, rank - 1)] as number)))
      return { low: low as number, high: -(high as number), level: rank < 1 ? 1 - 2 / count : 1 - level }
    },
  }
}

/** The place with the best mean; of equal ones the first. */
function bestPlace(choices: readonly (readonly number[])[]): number {
  const sums = choices.map(sumOf)
  return sums.indexOf(Math.max(...sums))
}

/** Ways to flip the signs of seeds, but for the one that flips none. */
interface Ways {
  /** How many seeds each flips. */
  flips: Float64Array
  /** The sum of the values with the signs of each. */
  signed(values: readonly number[]): Float64Array
}

function waysOf(seeds: number): Ways {
  const signed = seeds <= EXACT ? allSigned : drawnSigned
  const ones = Array.from({ length: seeds }, () => 1)
  return { flips: signed(ones).map((sum) => (seeds - sum) / 2), signed }
}

function allSigned(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length).fill(sumOf(values), 0, 1)
  for (const [place, value] of values.entries()) {
    const half = 2 ** place
    for (let i = 0; i < half; i++) sums[half + i] = (sums[i] as number) - 2 * value
  }
  return sums.subarray(1)
}

function drawnSigned(values: readonly number[]): Float64Array {
  const key = keyOf(0, 'signs of the best')
  return Float64Array.from({ length: DRAWS }, (_, draw) =>
    values.reduce((sum, value, seed) => {
      return integer(key, draw * values.length + seed, 2) === 1 ? sum - value : sum + value
    }, 0),
  )
}

/** By choice of what is subtracted, in order: the bounds from which on each way is a hit. */
function thresholds(sides: readonly Side[], { flips, signed }: Ways): Float64Array[] {
  const added = sides.filter(({ weight }) => weight > 0).map(withoutWorse)
  const subtracted = fewEnough(sides.filter(({ weight }) => weight < 0))
  const size = Math.max(0, ...sides.flatMap(({ choices }) => choices.flat().map(Math.abs)))
  const gains = added.map(({ weight, choices }) => {
    const sums = choices.map(sumOf)
    const best = Math.max(...sums)
    const all = choices.map(signed)
    return flips.map(
      (_, way) => weight * (best - all.reduce((most, own) => Math.max(most, own[way] as number), -Infinity)),
    )
  })
  const gained = flips.map((_, way) => gains.reduce((sum, own) => sum + (own[way] as number), 0))
  const losses = subtracted.map(({ weight, choices }) =>
    choices.map((values) => {
      const sum = sumOf(values)
      return signed(values).map((other) => weight * (sum - other))
    }),
  )
  const all = losses.reduce<Float64Array[]>(
    (rows, choices) =>
      rows.flatMap((row) => choices.map((own) => row.map((value, way) => value + (own[way] as number)))),
    [gained],
  )
  return all.map((row) => row.map((value, way) => boundOf(value, flips[way] as number, size)).sort())
}

function boundOf(value: number, flips: number, size: number): number {
  if (flips === 0) return Number.NEGATIVE_INFINITY
  const bound = value / (2 * flips)
  return Math.abs(bound) <= ROUNDING * size ? 0 : bound
}

function withoutWorse({ weight, choices }: Side): Side {
  const best = choices[bestPlace(choices)] as readonly number[]
  const left = choices.filter((values) => {
    const { mean, sd } = spread(best.map((value, seed) => value - (values[seed] as number)))
    return mean === null || sd === null || mean <= (CLEARLY * sd) / Math.sqrt(best.length)
  })
  return { weight, choices: left }
}

/** Sides with at most so many combinations of choices, the best ones. */
function fewEnough(sides: readonly Side[]): Side[] {
  const most = Math.max(1, Math.floor(MOST ** (1 / Math.max(1, sides.length))))
  const combinations = sides.reduce((product, { choices }) => product * choices.length, 1)
  if (combinations <= MOST) return [...sides]
  return sides.map(({ weight, choices }) => ({
    weight,
    choices: choices.toSorted((a, b) => sumOf(b) - sumOf(a)).slice(0, most),
  }))
}

/** How many of some numbers in order are at most a bound. */
function atMost(numbers: Float64Array, bound: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= bound) low = middle + 1
    else high = middle
  }
  return low
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
