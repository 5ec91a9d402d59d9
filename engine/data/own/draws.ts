import { type NamedDraws, namedDraws } from '../namedDraws.ts'

/** A part of a data set. */
export type Part = 'train' | 'validation' | 'test'

/** The random draws of one example: by the seed, the part and the index of the example, and a name. */
export interface Draws extends NamedDraws {
  /** The part that the example is of. */
  readonly part: Part
}

/** The draws of example `index` of a part. */
export function drawsOf(seed: number, part: Part, index: number): Draws {
  return { part, ...namedDraws(seed, `own/${part}/${index}`) }
}
