import type { NamedTensorMap } from '@tensorflow/tfjs-core'
import type { Parameter } from '../../nn/scope.ts'

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
  dispose(): void
}
