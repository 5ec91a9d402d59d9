import type * as tf from '@tensorflow/tfjs-core'
import type { EagerFallback } from '../../compile/eagerFallback.ts'
import type { DispatchTime } from '../../compile/training.ts'
import type { Model } from '../../nn/model.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { Reading } from '../deferredScalars.ts'
import type { LossOf } from '../differentiate.ts'
import type { MovingAverage } from '../ema.ts'
import type { Optimizer } from '../optimizers/index.ts'
import type { Recipe } from '../recipe.ts'

/** What a training step changes, and how. */
export interface TrainingParts {
  model: Model
  lossOf: LossOf
  /** The trained parameters, with the decay that they have in this recipe. */
  parameters: Parameter[]
  optimizer: Optimizer
  average: MovingAverage
  recipe: Pick<Recipe, 'accumulate' | 'clip' | 'ema' | 'layerDecay'>
}

/** Training, step by step. */
export interface TrainingSteps {
  /**
   * One update with a batch, by this learning rate; `step` counts those done before. With `keep`, `gradients` can be
   * asked for. Not inside `tf.tidy`.
   */
  run(batch: tf.NamedTensorMap, step: number, learningRate: number, keep: boolean): Promise<void>
  /** The gradients of the last update, by parameter name, before clipping. The caller disposes them. */
  gradients(): tf.NamedTensorMap
  /** Losses and global norms of all updates since the last call. */
  readMetrics(): Promise<Reading[]>
  /** Copies the current values to the variables of model, optimizer and average; to be called before these are read. */
  syncVariables(): void
  /** What each kind of dispatch takes on the card; null where training is not one program there. */
  profile(): Promise<DispatchTime[] | null>
  /** What is to be said of how the card trains, once it does; null for nothing. */
  note(): string | null
  /** Why it runs operation by operation, once it does. */
  fallback(): EagerFallback | null
  dispose(): void
}

/** The names of what `take` gives. */
export const [TRAIN_LOSS, NORM] = ['train/loss', 'train/gradient_norm'] as const
