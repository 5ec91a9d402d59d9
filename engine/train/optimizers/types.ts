import type * as tf from '@tensorflow/tfjs-core'
import type { NamedTensorMap, Variable } from '@tensorflow/tfjs-core'
import type { Parameter } from '../../nn/scope.ts'
import type { UpdateKernel } from '../fusedUpdate.ts'

/** What a recipe holds: the name of an optimizer and its options, as plain JSON. */
export interface OptimizerSpec {
  optimizer: string
  options: Record<string, unknown>
}

/** One entry of the table of optimizers. */
export interface OptimizerKind {
  /** Checks the options and fills in the defaults; `learningRate` is the peak of the schedule. */
  resolve(options: Record<string, unknown>): Record<string, unknown> & { learningRate: number }
  create(options: Record<string, unknown>, parameters: Parameter[]): Optimizer
}

export interface Optimizer {
  /** Changes all parameters in place. `gradients` go by parameter name and are left alone. */
  update(gradients: NamedTensorMap, learningRate: number): void
  /** The kernel that does the same to all parameters at once, where there is one, and what it needs to know. */
  rule?: { kernel: UpdateKernel; options: tf.NamedAttrMap; slots: readonly string[] } | undefined
  /** The optimizer state. Not a copy: when it is assigned to, the optimizer continues from there. */
  state(): OptimizerState
  dispose(): void
}

/** The state of an optimizer between updates, such as momentum or moments. */
export interface OptimizerState {
  /** Updates done. */
  step: number
  /** By the names of PyTorch, e.g. `exp_avg.<parameter>`; each of the shape of its parameter in memory. */
  tensors: Record<string, Variable>
}
