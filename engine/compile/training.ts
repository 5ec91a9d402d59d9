import type * as tf from '@tensorflow/tfjs-core'
import type { RecordedBatch } from './recordedBatch.ts'

/** How parameters are changed by their gradients, in plain data. */
export interface Update {
  /** The kernel that does it to all parameters at once; see engine/train/fusedUpdate.ts. */
  kernel: 'AdamWUpdate' | 'LambUpdate' | 'SgdUpdate'
  /** Its options, e.g. `beta1`. */
  options: Record<string, number | boolean>
  /** Gradients with a larger global norm are scaled down to it, as clipByGlobalNorm does; 0 for none. */
  clip: number
  /** What is kept of the moving average in each step, or that each step says so; null for no average. */
  average: number | 'by step' | null
  /** Equal parts of a batch, whose gradients are averaged. */
  parts: number
}

/** A parameter that the program trains, with its state on the card. */
export interface TrainableParameter {
  name: string
  variable: tf.Variable
  /** What the optimizer remembers of it, in the order of its slots; none of what is not trained. */
  memory: tf.Variable[]
  average: tf.Variable | null
  trained: boolean
  decay: boolean
  /** Share of the update that is made; 1 without decay by layer. */
  scale: number
}

/** Names in front of those of parameters, among the inputs and outputs of a graph. */
export const PARAMETER = 'parameter/'
export const GRADIENT = 'gradient/'
/** The output that is the loss. */
export const LOSS = 'loss'

/** Loss and global norm of the gradients of an update; the norm is NaN where nothing needs it. */
export interface StepResult {
  loss: number
  norm: number
}

/** What dispatches of one kind took. */
export interface DispatchTime {
  /** What the plan calls them. */
  kernel: string
  calls: number
  /** Floating-point operations of all of them, where they multiply matrices. */
  operations: number
  ms: number
}

/** A model that a program trains. */
export interface TrainingLane {
  recorded: RecordedBatch
  trainees: TrainableParameter[]
}

/**
 * An update: `update` counts those of the optimizer, this one included, `step` names the draws; `kept` is what is kept of the
 * moving average, where each step says so.
 */
export interface LaneStep {
  batch: tf.NamedTensorMap
  step: number
  update: number
  learningRate: number
  kept?: number | undefined
}

/**
 * A graph of a loss and its gradients, with all that follows: parameters and what is remembered stay on the card. It trains one
 * model or several side by side, its lanes, each with the bits that it would have alone.
 */
export interface TrainingProgram {
  /**
   * One update of each lane. One that is null makes none, or has ended: its variables, to be settled before, stay as they are,
   * and are taken over by its next update.
   */
  run(lanes: readonly (LaneStep | null)[]): Promise<void>
  /** Those of all updates of a lane since the last call. */
  take(lane: number): Promise<StepResult[]>
  /** The gradients of the last update of a lane, by parameter name, as they were before clipping. The caller disposes them. */
  gradients(lane: number): tf.NamedTensorMap
  /** Gives the variables of a lane the values that are on the card. What is assigned to them is taken over by the next update. */
  settle(lane: number): void
  ready(): Promise<void>
  /** So many parts of a batch are computed one after the other, for the memory of one. */
  parts: number
  /** What is to be said of how it trains; null for nothing. */
  note: string | null
  /** What each kind of dispatch of the last update takes, run once more; null on a card without timestamps. */
  profile(): Promise<DispatchTime[] | null>
  dispose(): void
}

/**
 * Makes one of graphs whose inputs are a batch, or a part of `accumulate`, and `parameter/<name>`; those of the lanes differ in
 * constants and draws alone. A batch is taken in `leastParts` or more where it can be had in parts. Null where the batch has to be recorded with all its examples, since it is not taken in parts.
 * Throws what it cannot do.
 */
export type CreateTraining = (
  lanes: readonly TrainingLane[],
  update: Update,
  leastParts?: number,
) => TrainingProgram | null
