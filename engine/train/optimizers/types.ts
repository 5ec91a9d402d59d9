import type * as tf from '@tensorflow/tfjs-core'
import type { NamedTensorMap, Variable } from '@tensorflow/tfjs-core'
import type { EagerFallback } from '../../compile/eagerFallback.ts'
import type { Definition } from '../../definitions.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { UpdateKernel } from '../fusedUpdate.ts'

/** What a recipe holds: the name of an optimizer and its options, as plain JSON; with what a cell defined, if it did. */
export interface OptimizerSpec {
  optimizer: string
  options: Record<string, unknown>
  defined?: OptimizerKind | undefined
}

/** One entry of the table of optimizers, or one of a cell. */
export interface OptimizerKind extends Definition {
  readonly kind: 'optimizer'
  /** Whether it evaluates other weights than those that it trains. */
  evaluates(options: Record<string, unknown>): boolean
  /** Checks the options and fills in the defaults; `learningRate` is the peak of the schedule. */
  resolve(options: Record<string, unknown>): Record<string, unknown> & { learningRate: number }
  /** Resolved options as they enter a key: plain data, of built-in optimizers without what came later and has its default. */
  keyed(options: Record<string, unknown>): Record<string, unknown>
  /** What the initial values of each parameter are multiplied by; 1 where it is not there. */
  initialScales?(options: Record<string, unknown>, parameters: Parameter[]): number[]
  /** `rates` are factors of the learning rate of each parameter; 1 if left out. */
  create(options: Record<string, unknown>, parameters: Parameter[], rates?: readonly number[]): Optimizer
}

export interface Optimizer {
  /** To be awaited before the first update: checks the code of a cell, and with `program` makes it one where there are such. */
  prepare?(program: boolean): Promise<void>
  /** Changes all parameters in place. `gradients` go by parameter name and are left alone. */
  update(gradients: NamedTensorMap, learningRate: number): void
  /** The weights at which a batch is differentiated once more, by name; the caller disposes them. */
  secondGradient?: ((gradients: NamedTensorMap, learningRate: number) => NamedTensorMap) | undefined
  /** What is evaluated and saved in place of the weights, by name; the caller disposes them. */
  evaluationWeights?: (() => NamedTensorMap) | undefined
  /** The kernel that does the same to all parameters at once, where there is one, and what it needs to know. */
  rule?: { kernel: UpdateKernel; options: tf.NamedAttrMap; slots: readonly string[] } | undefined
  /** The optimizer state. Not a copy: when it is assigned to, the optimizer continues from there. */
  state(): OptimizerState
  /** Why its update runs operation by operation, once it does. */
  fallback?(): EagerFallback | null
  dispose(): void
}

/** The state of an optimizer between updates, such as momentum or moments. */
export interface OptimizerState {
  /** Updates done. */
  step: number
  /** By the names of PyTorch, e.g. `exp_avg.<parameter>`. */
  tensors: Record<string, Variable>
}
