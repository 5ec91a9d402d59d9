import type { NamedTensorMap, Scalar, Tensor } from '@tensorflow/tfjs-core'
import type { ImageRecipe } from '../data/augment/options.ts'
import type { SpawnAugmenter } from '../data/augment/thread.ts'
import type { FileSource } from '../data/files.ts'
import type { AnswerSpan, NumberField, Split } from '../data/types.ts'
import type { Definition, DefinitionCode } from '../definitions.ts'
import type { Metric } from '../evaluate/metric.ts'
import type { OutcomeCollector } from '../evaluate/outcomes/types.ts'
import type { Evaluator, ReportCollector } from '../evaluate/types.ts'
import type { Forward, InputSpec, Mode, Model, TextExtras } from '../nn/model.ts'
import type { Block, Size } from '../nn/types.ts'
import type { MetricMeaning } from '../records/meaning.ts'

/** What a user writes under `task:`, made by `image()` and its like; plain JSON. */
export interface TaskSpec {
  kind: 'task'
  task: string
  options: Record<string, unknown>
  /** In the spec of a run: the built-in task whose data and models a task of a cell has. */
  base?: string | undefined
  /** Of a task that a cell defines: what stands for its entry in the table; in no spec of a run. */
  defined?: OwnTask | undefined
}

/** A task that a cell defines. */
export interface OwnTask extends Definition, TaskKind {
  /** The built-in task whose data and models it has. */
  base?: string | undefined
  /** The study whose trained model gives labels. */
  teacher?: Teacher | undefined
}

/** A study, made by `compare()`. */
export interface Teacher {
  readonly kind: 'study'
  readonly name: string
}

/** A loss of a cell: `[]` of a prediction, what it should be, and all parts of the batch by name. */
export type OwnLoss = (prediction: Tensor, target: Tensor, batch: LossBatch) => Tensor

/** A batch as a loss sees it: its parts by name, and what the teacher says where there is one. */
export type LossBatch = NamedTensorMap & Record<'input' | 'target' | 'teacher', Tensor>

/** How the recipe augments training batches, and in which thread. */
export interface TrainBatchOptions {
  recipe: ImageRecipe
  /** Starts a thread for it, which makes generated examples, too; without one both are done between the steps. */
  spawnAugmenter?: SpawnAugmenter | undefined
}

/** One entry of the table of tasks. */
export interface TaskKind {
  /** Options of a recipe that not every task can use, and this one does. */
  recipe?: readonly (keyof ImageRecipe)[]
  /** Checks the options and fills in the defaults. */
  resolve(options: Record<string, unknown>): Record<string, unknown>
  /** Opens the data, with resolved options; texts with a tokenizer as it was saved, where one is given, instead of learning one. */
  open(options: Record<string, unknown>, files: FileSource, tokenizer?: string): Promise<Task>
  /** What its models get beside their input, with resolved options; nothing by default. */
  extras?(options: Record<string, unknown>): Task['extras']
  /** Its models, for which no data is needed. */
  model(ends: TaskEnds): Task['model']
}

/** What decides how the models of a task begin and end. */
export interface TaskEnds {
  classes?: number | undefined
  /** Tokens that a tokenizer knows. */
  vocabulary?: number | undefined
  pool?: 'first' | 'mean' | undefined
  /** Shape of an example as the model reads it. */
  input?: readonly number[] | undefined
  /** Steps that are forecast. */
  horizon?: number | undefined
}

/**
 * Tensors of one batch by name; the first axis counts examples. What the model reads is `input`. A task keeps the shapes
 * the same from step to step, since a program is compiled for each.
 */
export type Batch = NamedTensorMap & { input: Tensor }

/** The examples of an open data set as tensors by name; the caller disposes the batches. */
export interface Examples {
  /** SHA-256 of the data and of every option that decides what is made of them. */
  hash: string
  /** The first is what a task reads by default, the last what it asks for. */
  fields: Readonly<Record<string, NumberField>>
  /** As `trainBatches` of a task. */
  train(batch: number, seed: number, from: number, options?: TrainBatchOptions): AsyncGenerator<NamedTensorMap>
  /** As `evalBatches` of a task. */
  evaluated(split: string, batch: number, examples?: number): AsyncGenerator<NamedTensorMap>
  /** As `examplesAt`, `knownOf` and `textsOf` of a task. */
  at?(split: string, indices: readonly number[]): AsyncGenerator<NamedTensorMap>
  known?(split: string): KnownExamples
  texts?(split: string, indices: readonly number[]): Promise<ExampleText[][]>
  tests?: string[] | undefined
  warnings?: string[] | undefined
  unreadable?: number | undefined
  /** As `check` of a Dataset. */
  check?: (() => Promise<void>) | undefined
  /** How its first field is made of the data, the parts that a model gets beside it, and what is kept with weights. */
  preparation?: Preparation | undefined
  extras?: Task['extras'] | undefined
  files?: Task['files'] | undefined
}

/** How many examples of a split there are, and what is known of each; see `Split`. */
export type KnownExamples = Pick<Split<unknown>, 'size' | 'planted' | 'groupOf'>

/** A text of an example, and which parts of it are right answers. */
export interface ExampleText {
  /** What it is called, e.g. `question`. */
  name: string
  text: string
  answers?: AnswerSpan[] | undefined
}

/** A task with its data open: everything the training loop asks for. */
export interface Task {
  /** SHA-256 of the data and of every option that decides what is learned from them; part of the run key. */
  hash: string
  /** Whether its hash has all of its options, those of later versions too. */
  hashed?: true
  /** Whether its batches have, as `teacher`, what a teacher says to them. */
  taught?: true
  /**
   * The metric by which variants are compared, with its split, e.g. `test/accuracy`. The metric of the same name on
   * `validation` chooses the weights that are tested; see records/splits.ts.
   */
  metric: string
  /** What a study measures otherwise than the task by itself; part of the run key. */
  measured?: {
    metrics?: Record<string, DefinitionCode>
    readouts?: Record<string, DefinitionCode>
    metric?: string
  }
  input: InputSpec
  /** What `predict` gives to the model beside its input, by the names of a batch; nothing by default. */
  extras?: Partial<Record<keyof TextExtras, InputSpec>>
  /** Whether its models may not look at later tokens. */
  causal?: true
  model(block: Block, size: Size): Forward
  /** Endless training batches in an order keyed by seed and epoch, from step `from` on. The caller disposes them. */
  trainBatches(batch: number, seed: number, from: number, options?: TrainBatchOptions): AsyncGenerator<Batch>
  /** The splits of the last evaluation, by the first part of the names of their metrics; `test` alone by default. */
  tests?: string[]
  /**
   * The first `examples` examples of `validation` or of one of `tests`, or all, once each; of `train` as many, the same ones
   * always. The caller disposes them. Tests are for the last evaluation of a run and for nothing else.
   */
  evalBatches(split: string, batch: number, examples?: number): AsyncGenerator<Batch>
  /**
   * The examples at such places of a split, as `evalBatches` has them, in one batch; the caller disposes it. Not of every
   * task.
   */
  examplesAt?(split: string, indices: readonly number[]): AsyncGenerator<Batch>
  /** What is known of the examples of a split beside what they show. */
  knownOf?(split: string): KnownExamples
  /** The texts of examples as the data set has them; nothing where they are no texts. */
  textsOf?(split: string, indices: readonly number[]): Promise<ExampleText[][]>
  /** What the model says to a batch; by default `model.apply(batch.input, mode)`. */
  predict?(model: Model, batch: Batch, mode: Mode): Tensor
  /** The mean over the examples. */
  loss(prediction: Tensor, batch: Batch): Scalar
  /** Whether that is the mean over the places that `weights` of a batch count, of which batches have different numbers. */
  weighed?: true
  /** What that means; a cross entropy by default. */
  lossMeaning?: MetricMeaning | undefined
  /** Fresh counters for one evaluation. */
  evaluators(): Evaluator[]
  /** Metrics of the task that were defined by `metric()`, measured beside those; see study/metrics.ts. */
  metrics?: readonly Metric[] | undefined
  /** Collects the report of the evaluation on a test split, beyond its metrics; nothing by default. */
  report?: (() => ReportCollector) | undefined
  /** Collects what comes of each example of a test split; nothing by default. */
  outcomes?: (() => OutcomeCollector) | undefined
  /** What a study reads off a model at each evaluation on the way; nothing by default. */
  readouts?(model: Model): ModelReadouts
  /** What the user should know of the data, e.g. files that were left out. */
  warnings?: string[] | undefined
  /** How many files of the data were left out, because they cannot be read. */
  unreadable?: number | undefined
  /** As `check` of a Dataset. */
  check?: (() => Promise<void>) | undefined
  /** What has to be kept with the weights to use them, by the name of a file, e.g. a tokenizer. */
  files?: Record<string, string>
  /** What each output stands for, where these are classes. */
  classes?: string[]
  /** How the input of the model is made of the data, in plain JSON, for users who have the weights alone. */
  preparation?: Preparation | undefined
}

/** Numbers read off a model, again and again. */
export interface ModelReadouts {
  /** Those of now, by the names of their metrics, and why some are no numbers. */
  read(): Promise<{ metrics: Map<string, { value: number; meaning: MetricMeaning }>; problems: string[] }>
  dispose(): void
}

/** How raw data becomes what a model reads. */
export type Preparation =
  | {
      kind: 'image'
      size: [height: number, width: number]
      channels: number
      /** Of the axes, e.g. `batch, height, width, channels`. */
      layout: string
      /** Of pixels from 0 to 1: less the mean, then divided by the deviation, of each channel. */
      mean: number[]
      deviation: number[]
      /** Of a model from elsewhere: the share of the sides that is cut out; whether pictures are distorted to the size. */
      crop?: number | undefined
      squash?: boolean | undefined
    }
  | {
      kind: 'text'
      /** Length of an example, special tokens included. */
      tokens: number
      /** What stands between special tokens, e.g. `[CLS] text [SEP]`. */
      template: string
      /** Which end is cut off, and where padding stands; its token id, and its value in `mask`. */
      truncation: 'end'
      padding: { side: 'end'; id: number; mask: number }
      /** What stands for the whole text: its first token or the mean of all but padding; null where each token is asked. */
      pool: 'first' | 'mean' | null
    }
  | { kind: 'points'; points: number; order: string; normalised: string }
  | {
      kind: 'series'
      /** Steps that are read, and steps that are forecast. */
      window: number
      horizon: number
      channels: number
      /** Of each channel: less the mean, then divided by the deviation; so is what is forecast. */
      mean: number[]
      deviation: number[]
    }
