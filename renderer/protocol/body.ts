import type { DataBody } from '../../engine/datacard/schema.ts'
import type { Figure } from '../../engine/display/types.ts'

/** A value in a form that says more than its text. Plain data, of a bounded size. */
export type Body = Figure | TensorBody | ImagesBody | TreeBody | DataBody

export interface TensorBody {
  type: 'tensor'
  min: number | null
  max: number | null
  mean: number | null
  /** How many values are not finite; the others make up min, max and mean. */
  notFinite: number
  /** The values of a tensor with one or two axes. */
  figure: Figure | null
}

/** Pictures of one size. */
export interface ImagesBody {
  type: 'images'
  width: number
  height: number
  channels: 1 | 3
  /** Bytes row by row, channels last, in base 64. */
  images: string[]
  /** What was done to get there, in words, or null. */
  note: string | null
}

/** What an object or array holds. */
export interface TreeBody {
  type: 'tree'
  entries: TreeEntry[]
}

export interface TreeEntry {
  name: string
  /** The value on one line. */
  text: string
  /** What it holds; left out where the line says it all. */
  entries?: TreeEntry[]
}
