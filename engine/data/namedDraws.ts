import type { AugmentDraws } from './augment/draws.ts'

/**
 * Random draws by name: each depends on what the draws are for, on its name, on how many draws of that name came before, and
 * on nothing else.
 */
export interface NamedDraws {
  /** A number from `low` to below `high`; by default from 0 to 1. */
  uniform(name: string, low?: number, high?: number): number
  /** A number of a normal distribution; by default the standard one. */
  normal(name: string, mean?: number, deviation?: number): number
  /** A whole number from 0 to `below` - 1. */
  integer(name: string, below: number): number
  /** The whole numbers from 0 to `size` - 1 in random order. */
  permutation(name: string, size: number): number[]
  /** True with this probability. */
  chance(name: string, probability: number): boolean
  /** A number of the distribution Beta(alpha, alpha), alpha above 0. */
  beta(name: string, alpha: number): number
}

/** The same with the draws of one name one after the other, for functions that are given such. */
export interface DrawStreams extends NamedDraws {
  stream(name: string): AugmentDraws
}

/** The draws of streams that are made by name, each when it is first drawn from. */
export function namedDraws(streamOf: (name: string) => AugmentDraws): DrawStreams {
  const streams = new Map<string, AugmentDraws>()
  const stream = (name: string): AugmentDraws => {
    const known = streams.get(name) ?? streamOf(name)
    streams.set(name, known)
    return known
  }
  return {
    stream,
    uniform: (name, low = 0, high = 1) => stream(name).between(low, high),
    normal: (name, mean = 0, deviation = 1) => mean + deviation * stream(name).normal(),
    integer: (name, below) => stream(name).below(below),
    permutation: (name, size) => stream(name).permutation(size),
    chance: (name, probability) => stream(name).chance(probability),
    beta: (name, alpha) => stream(name).beta(alpha),
  }
}
