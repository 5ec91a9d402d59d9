import type { FileSource } from '../host.ts'

/** Images and labels of a batch. `pixels` is `[count, height, width, channels]` in 0..1. */
export interface ImageBatch {
  pixels: Float32Array
  labels: Int32Array
}

export interface ImageSplit {
  size: number
  /** Reads the examples at `indices` (0 <= index < size), in that order. */
  read(indices: ArrayLike<number>): Promise<ImageBatch>
}

export interface ImageDataset {
  name: string
  /** Class names; a label is an index into them. */
  classes: string[]
  /** height, width, channels. */
  shape: [number, number, number]
  /** SHA-256 of everything that decides the examples; part of the run key. */
  hash: string
  train: ImageSplit
  test: ImageSplit
}

/** What a user writes: the name of a data set and its options, as plain JSON. */
export interface DataSpec {
  dataset: string
  options: Record<string, unknown>
}

/** One entry of the table of data sets. */
export interface DatasetKind {
  name: string
  /** Checks the options and fills in the defaults. Throws MixlabError. */
  resolve(options: Record<string, unknown>): Record<string, unknown>
  /** Opens the data set with resolved options. Throws MixlabError naming file and offset. */
  open(options: Record<string, unknown>, files: FileSource): Promise<ImageDataset>
}
