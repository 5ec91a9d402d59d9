import { type Key, keyOf, permutation } from '../../random.ts'
import { drawsBy } from '../augment/draws.ts'
import { type NamedDraws, namedDraws } from '../namedDraws.ts'

/** A part of a data set. */
export type Part = 'train' | 'validation' | 'test'

/** The random draws of one example: by the seed, the part and the index of the example, and a name. */
export interface Draws extends NamedDraws {
  /** The part that the example is of. */
  readonly part: Part
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
  return {
    ...namedDraws((name) => drawsBy((order) => of(`${name}${order}`, index))),
    part,
    balanced: (name, below) => permutation(row(name, Math.floor(index / below)), below)[index % below] as number,
  }
}
