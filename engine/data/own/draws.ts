import { integer, type Key, keyOf, normal, permutation, uniform } from '../../random.ts'

/** A part of a data set. */
export type Part = 'train' | 'validation' | 'test'

/**
 * The random draws of one example, by name: they depend on the seed, the part and the index of the example, on the name and
 * on how many draws of that name came before, and on nothing else.
 */
export interface Draws {
  /** The part that the example is of. */
  readonly part: Part
  /** A number from `low` to below `high`; by default from 0 to 1. */
  uniform(name: string, low?: number, high?: number): number
  /** A number of a normal distribution; by default the standard one. */
  normal(name: string, mean?: number, deviation?: number): number
  /** A whole number from 0 to `below` - 1. */
  integer(name: string, below: number): number
  /** The whole numbers from 0 to `size` - 1 in random order. */
  permutation(name: string, size: number): number[]
  /** A whole number from 0 to `below` - 1, of which so many examples in a row have every one once, e.g. their class. */
  balanced(name: string, below: number): number
}

/** Where the draws of a part come from: the keys of its examples, and of so many examples in a row, by name. */
export interface Streams {
  part: Part
  of(name: string, index: number): Key
  row(name: string, row: number): Key
}

/** The streams of a data set of a cell. */
export function ownStreams(seed: number, part: Part): Streams {
  return {
    part,
    of: (name, index) => keyOf(seed, `own/${part}/${index}/${name}`),
    row: (name, row) => keyOf(seed, `own/${part}/row ${row}/${name}`),
  }
}

/** The draws of example `index` of a part. */
export function drawsOf({ part, of, row }: Streams, index: number): Draws {
  const streams = new Map<string, { key: Key; drawn: number }>()
  const at = (name: string) => {
    const known = streams.get(name)
    if (known) return known
    const stream = { key: of(name, index), drawn: 0 }
    streams.set(name, stream)
    return stream
  }
  const next = <Value>(name: string, draw: (key: Key, counter: number) => Value): Value => {
    const stream = at(name)
    return draw(stream.key, stream.drawn++)
  }
  return {
    part,
    uniform: (name, low = 0, high = 1) => low + (high - low) * next(name, uniform),
    normal: (name, mean = 0, deviation = 1) => mean + deviation * next(name, normal),
    integer: (name, below) => next(name, (key, counter) => integer(key, counter, below)),
    permutation: (name, size) => Array.from(permutation(of(`${name}/order/${at(name).drawn++}`, index), size)),
    balanced: (name, below) => permutation(row(name, Math.floor(index / below)), below)[index % below] as number,
  }
}
