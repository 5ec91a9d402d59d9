import type { Definition } from '../definitions.ts'
import type { FileSource } from './files.ts'

/** Where generated examples come from, as plain data: another thread makes the same ones of it. */
export interface DrawnFrom {
  dataset: string
  /** As its kind resolves them. */
  options: Record<string, unknown>
  part: string
}

/** Examples that another thread makes: so many of those that were asked for, the first ones. */
export interface Drawing {
  count: number
  made: Promise<Record<string, unknown>[]>
}

/**
 * Has generated examples made in another thread; null while there is none. Whoever reads them makes the others: more of them
 * where that thread is `late`.
 */
export type Draw = (from: DrawnFrom, indices: readonly number[], late: boolean) => Drawing | null

/** Examples that are read when they are needed. */
export interface Split<Batch> {
  size: number
  /** Reads the examples at `indices` (0 <= index < size), in that order; generated ones are made by `draw` where it is given. */
  read(indices: ArrayLike<number>, draw?: Draw): Promise<Batch>
  /** Has examples made ready that will be read; a split without it makes them when they are read. */
  ahead?: ((indices: ArrayLike<number>) => void) | undefined
  /** What the generator planted in an example, where there is one that tells. */
  planted?: ((index: number) => Planted) | undefined
  /** What examples that depend on each other have in common, e.g. the series that windows are cut from. */
  groupOf?: ((index: number) => number) | undefined
}

/**
 * What is known of a generated example beyond what it shows, by name: amounts (distance, clutter) as numbers, sorts as texts.
 * All examples of a split have the same names.
 */
export type Planted = Readonly<Record<string, number | string>>

/** Examples that are divided into training and validation (splits.ts). */
export interface Pool<Batch> extends Split<Batch> {
  /** The class of each example, where there are classes. */
  labels?: ArrayLike<number>
  /** What each example belongs to, e.g. its passage: what belongs together is not divided. */
  groups?: ArrayLike<number>
}

/** Examples to learn from, to choose by, and to be judged by once all is chosen; no example is in two of them. */
export interface Dataset<Batch> {
  name: string
  /** SHA-256 of everything that decides the examples; part of the run key. */
  hash: string
  train: Split<Batch>
  validation: Split<Batch>
  test: Split<Batch>
  /** More to be judged by at the end, by the name of their metrics, e.g. `mismatched`. */
  others?: Record<string, Split<Batch>>
  /** What the user should know, e.g. files that were left out. */
  warnings?: string[]
  /** How many files were left out, because they cannot be read. */
  unreadable?: number
  /** Reads what opening has not, before anything is trained. Throws MixlabError `data` for what cannot be read. */
  check?(): Promise<void>
}

/** A data set as its source has it: where that has no validation part, one is cut off the training examples. */
export type Undivided<Data> =
  Data extends Dataset<infer Batch>
    ? Omit<Data, 'train' | 'validation'> & { train: Pool<Batch>; validation?: Split<Batch> | undefined }
    : Data

/** Images and labels of a batch. `pixels` is `[count, height, width, channels]` in 0..1. */
export interface ImageBatch {
  pixels: Float32Array
  labels: Int32Array
}

export type ImageSplit = Split<ImageBatch>

export interface ImageDataset extends Dataset<ImageBatch> {
  /** Class names; a label is an index into them. */
  classes: string[]
  /** height, width, channels. */
  shape: [number, number, number]
}

/** Point clouds and labels of a batch. `points` is `[count, points, 3]`, centred, within the unit ball. */
export interface PointBatch {
  points: Float32Array
  labels: Int32Array
}

export interface PointDataset extends Dataset<PointBatch> {
  classes: string[]
  /** Points of a cloud. */
  points: number
}

/** Images of a batch with the class of each pixel. `pixels` is `[count, height, width, channels]` in 0..1, `maps` `[count, height, width]`. */
export interface SceneBatch {
  pixels: Float32Array
  maps: Int32Array
}

export interface SceneDataset extends Dataset<SceneBatch> {
  classes: string[]
  /** height, width, channels. */
  shape: [number, number, number]
}

/** Series of a batch, `[count, steps, channels]`. */
export interface SeriesBatch {
  series: Float32Array
}

export interface SeriesDataset extends Dataset<SeriesBatch> {
  /** Steps of every series. */
  steps: number
  /** Values of a step. */
  channels: number
}

/** Texts, or pairs of texts, with their classes. */
export interface TextBatch {
  first: string[]
  /** Where examples are pairs, as many as `first`. */
  second?: string[]
  labels: Int32Array
}

/** Single texts, or pairs, to be classified. */
export interface TextDataset extends Dataset<TextBatch> {
  classes: string[]
}

/** Where an answer is: characters `start` to `end` (not included) of the passage. */
export interface AnswerSpan {
  start: number
  end: number
}

/** Questions on passages. */
export interface SpanBatch {
  questions: string[]
  passages: string[]
  /** Of each question all answers that count as right; none where the passage does not answer it. */
  answers: AnswerSpan[][]
}

export interface SpanDataset extends Dataset<SpanBatch> {
  /** Whether some questions have no answer, as in SQuAD 2.0. */
  unanswerable: boolean
}

/** Running text that is read piece by piece; it may be larger than memory. */
export interface TextSource {
  /** Length in bytes of UTF-8. */
  bytes: number
  /** The bytes from `from` to `to` (not included) as text; a character that is cut at either end is left out. */
  read(from: number, to: number): Promise<string>
}

/** Running text to learn a language from. */
export interface Corpus {
  name: string
  hash: string
  train: TextSource
  validation: TextSource
  test: TextSource
  /** What the user should know, e.g. files that were passed over. */
  warnings?: string[]
}

/** A named part of each example, e.g. an image, or its class. */
export interface Field {
  /** Of one example: `[16, 16, 3]` of an image, `[]` of a number or a text. */
  shape: readonly number[]
  /** `int32` for classes and ids. */
  dtype: 'float32' | 'int32' | 'text'
  /** What its integers stand for, from 0 on. */
  classes?: readonly string[] | undefined
}

/** A part that is numbers. */
export type NumberField = Field & { dtype: 'float32' | 'int32' }

/** Examples by their parts: numbers flat, `[count, ...shape]`. */
export type FieldBatch = Record<string, Float32Array | Int32Array | string[]>

/** Examples of named parts, of any sort. */
export interface FieldDataset extends Dataset<FieldBatch> {
  fields: Readonly<Record<string, Field>>
}

/** A data set that a cell defines, which stands for its entry in a table. */
export type OwnDataset = Definition & DatasetKind<FieldDataset>

/** What a user writes: the name of a data set and its options, as plain JSON. */
export interface DataSpec {
  dataset: string
  options: Record<string, unknown>
  /** Of a data set that a cell defines. Not enumerable: it has functions, and the spec of a run leaves it out. */
  readonly defined?: OwnDataset | undefined
  /** Of one that is open already, which is then not read again: what its table gave. Not enumerable either. */
  readonly opened?: object | undefined
}

/** One entry of a table of data sets, which give `Data` when they are opened. */
export interface DatasetKind<Data> {
  name: string
  /** Checks the options and fills in the defaults. Throws MixlabError. */
  resolve(options: Record<string, unknown>): Record<string, unknown>
  /** Opens the data set with resolved options. Throws MixlabError naming file and offset. */
  open(options: Record<string, unknown>, files: FileSource): Promise<Data>
}
