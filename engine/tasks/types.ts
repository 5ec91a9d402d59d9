import type { Scalar, Tensor } from '@tensorflow/tfjs-core'
import type { FileSource } from '../host.ts'
import type { Block } from '../nn/block.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import type { Size } from '../nn/size.ts'

/** What a user writes under `task:`, made by `image()` and its like; plain JSON. */
export interface TaskSpec {
  kind: 'task'
  task: string
  options: Record<string, unknown>
}

/** One entry of the table of tasks. */
export interface TaskKind {
  /** Checks the options and fills in the defaults. */
  resolve(options: Record<string, unknown>): Record<string, unknown>
  /** Opens the data, with resolved options. */
  open(options: Record<string, unknown>, files: FileSource): Promise<Task>
}

/** Tensors of one batch; the first axis counts examples. */
export interface Batch {
  input: Tensor
  target: Tensor
}

/** A task with its data open: everything the training loop asks for. */
export interface Task {
  /** SHA-256 of the data and of every option that decides what is learned from them; part of the run key. */
  hash: string
  /** The metric by which variants are compared, e.g. `eval/accuracy`. */
  metric: string
  input: InputSpec
  model(block: Block, size: Size): Forward
  /** Endless training batches in an order keyed by seed and epoch, from step `from` on. The caller disposes them. */
  trainBatches(batch: number, seed: number, from: number): AsyncGenerator<Batch>
  /** The first `examples` held-out examples, or all, once each. The caller disposes them. */
  evalBatches(batch: number, examples?: number): AsyncGenerator<Batch>
  loss(logits: Tensor, target: Tensor): Scalar
  /** Fresh counters for one evaluation. */
  evaluators(): Evaluator[]
}

/** Collects one metric over an evaluation. */
export interface Evaluator {
  /** Name below `eval/`. */
  name: string
  /** `logits` is `[examples, classes]`, row by row. */
  add(logits: Float32Array, target: ArrayLike<number>): void
  value(): number
}
