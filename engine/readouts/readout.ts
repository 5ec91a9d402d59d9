import type { NamedTensorMap, Scalar, Tensor } from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { type Definition, noteDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'
import { checkMetricName, meaningSaid, type SaidOfMetric, saidShape } from '../evaluate/metric.ts'
import type { TokenGrid } from '../nn/scope.ts'
import { parseOptions } from '../options.ts'
import type { MetricMeaning } from '../records/meaning.ts'

/** When a number is read off a model: once its run is done, or at each evaluation while it is trained. */
export type ReadoutTime = 'end' | 'evaluations'

/** What a user says of the values of a read-out; where no way is better, differences are told without one. */
export interface ReadoutOptions extends SaidOfMetric {
  /**
   * `end` by default: then it is in no run key, and is computed for runs of earlier days, too. At `evaluations` it is a
   * curve, and in the key as a metric is.
   */
  when?: ReadoutTime | undefined
}

/** Examples of a task by the names of their tensors; `input` is what the model reads, `[examples, ...]`. */
export type ReadoutBatch = NamedTensorMap & { input: Tensor }

/** The batches of a split, of 128 examples, each disposed when the next is asked for. */
export type ReadoutBatches = AsyncIterable<ReadoutBatch>

/** The model of a run, as a read-out sees it: in evaluation mode, with the weights that are tested. */
export interface ReadoutModel {
  /** What the model says to a batch, e.g. logits `[examples, classes]`. */
  (batch: ReadoutBatch): Tensor
  /** The mean loss of a batch. */
  loss(batch: ReadoutBatch): Scalar
  /** What each block returns for a batch, by its place: `blocks.0`, `blocks.1`, ...; `[examples, tokens, dim]`. */
  activations(batch: ReadoutBatch): Record<string, Tensor>
  /** The gradients of the loss of a batch, by the names of the trained weights. */
  gradients(batch: ReadoutBatch): Record<string, Tensor>
}

/** The data of the task. */
export interface ReadoutData {
  /** Training examples as they are, without augmentation: all, or as many, always the same ones. */
  train(examples?: number): ReadoutBatches
  /** The first so many validation examples, or all. */
  validation(examples?: number): ReadoutBatches
  /** The first so many test examples, or all. Only once a run is done. */
  test(examples?: number): ReadoutBatches
}

/** A matrix that mixes tokens: output token i gets `matrix[i, j]` of input token j. */
export interface MixingWeights {
  name: string
  /** `[outputs, inputs]`. */
  matrix: Tensor
  /** How the input tokens lie in the image; null where they are no patches. */
  grid: TokenGrid | null
}

/** What a model costs; all but `parameters` for one example. */
export interface ModelCost {
  /** Trained values. */
  parameters: number
  /** Multiply-adds of a forward pass. */
  macs: number
  /** The most bytes alive at once in a forward and backward pass, without parameters. */
  trainingBytes: number
}

/** What a read-out is given. */
export interface ReadoutGiven {
  /** All weights by name, in the shapes of memory. They may be read as long as the read-out computes. */
  weights: Record<string, Tensor>
  /** Those among them that mix tokens. */
  mixing: MixingWeights[]
  model: ReadoutModel
  data: ReadoutData
  /**
   * Loss and metrics of the task on a split, by name: `(await measure('train', 1000)).accuracy`. Of `train` a fixed part, of
   * the others the first examples; all by default.
   */
  measure(split: 'train' | 'validation' | 'test', examples?: number): Promise<Record<string, number>>
  /** Counted on shapes alone. */
  cost(): Promise<ModelCost>
}

/** Computes a number of a trained model; tensors of one value count as that. What it makes is disposed for it. */
export type ReadoutFunction = (given: ReadoutGiven) => number | Tensor | Promise<number | Tensor>

/** One of the runs of a seed, which are read together. */
export interface RunAmongOthers {
  /** Examples of a step. */
  batch: number
  steps: number
  /** Multiply-adds of a forward pass of one example; null where they were not counted. */
  macs: number | null
  /** The median time of a training step in ms, measured now, the variants in turns. */
  stepMs(): Promise<number>
  /** What a metric was when it was last measured up to a step; NaN where it was not yet. */
  valueAt(metric: string, step: number): Promise<number>
}

/** A read-out, for `readouts:` of a study. */
export interface Readout extends Definition {
  readonly kind: 'readout'
  readonly meaning: MetricMeaning
  readonly when: ReadoutTime
  readonly compute: ReadoutFunction
  /** Computes it of a run beside those of the other variants with the same seed, instead of `compute`. */
  readonly together?: (own: RunAmongOthers, all: readonly RunAmongOthers[]) => Promise<number>
}

const schema = z.strictObject({
  ...saidShape,
  when: z.enum(['end', 'evaluations']).default('end'),
})

/**
 * Defines a read-out: a number computed from the weights of a run, its activations, gradients or logits. A study that has
 * it under `readouts:` shows it as `readout/<name>`, and may be compared by that. Throws MixlabError `option`.
 */
export function readout(name: string, meaning: ReadoutOptions, compute: ReadoutFunction): Readout {
  checkMetricName(name, 'readout', "'sparsity'; it is shown as readout/sparsity")
  const { when, ...said } = parseOptions<ReadoutOptions>(schema, meaning, `readout '${name}'`)
  if (typeof compute !== 'function') {
    const what = 'expected a function ({ weights, model, data }) => number as third argument'
    throw new MixlabError('option', `readout '${name}'`, what)
  }
  const defined: Readout = {
    ...{ kind: 'readout', name, compute, decides: compute },
    meaning: meaningSaid(name, said),
    when: when ?? 'end',
  }
  noteDefinition(defined)
  return defined
}

export function isReadout(value: unknown): value is Readout {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'readout'
}
