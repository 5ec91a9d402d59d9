import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import type { Task } from '../tasks/types.ts'
import type { ReadState } from './checkpointer.ts'
import { globalNorm } from './clip.ts'
import { trainingParts } from './parts.ts'
import type { Recipe } from './recipe.ts'
import { restoreState, writeState } from './state.ts'
import { TRAIN_LOSS, trainingSteps } from './steps/index.ts'

/** A training that is done again. */
export interface Replayed {
  /** With the weights that the training began with; it is trained. */
  model: Model
  task: Task
  recipe: Recipe
  seed: number
  /** The state to begin with; without one, or where it does not fit, the first step is the first of all. */
  state?: ReadState | undefined
}

/** Where a training stands after so many steps. */
export interface TrainedUntil {
  /** Steps done. */
  step: number
  /** Whether all trained values are finite. */
  isFinite(): Promise<boolean>
  /** As `writeState`. */
  state(): Promise<Uint8Array>
  /** Loss of the last step, and the global norm of its gradients before clipping; null where no step was done here. */
  last(): Promise<{ loss: number; gradientNorm: number } | null>
}

/**
 * Does the steps of a training again, without evaluations and without anything that is kept: yields where it stands at its
 * beginning and after each step. On `simd` that is bit for bit what was before. Who has seen enough returns.
 */
export async function* replay({ model, task, recipe, seed, state }: Replayed): AsyncGenerator<TrainedUntil> {
  const parts = trainingParts(model, task, recipe)
  const { optimizer, average } = parts
  const trained = { model, optimizer, average }
  const updates = trainingSteps(parts)
  let batches: ReturnType<Task['trainBatches']> | null = null
  try {
    let step = 0
    const file = await state?.()
    if (file) step = restoreState(trained, file, true).step
    batches = task.trainBatches(recipe.batch, seed, step, { recipe })
    let done = false
    const until = (): TrainedUntil => ({
      step,
      isFinite: async () => {
        updates.syncVariables()
        for (const { variable } of model.trained) {
          if (!(await variable.data<'float32'>()).every(Number.isFinite)) return false
        }
        return true
      },
      state: () => {
        updates.syncVariables()
        return writeState(trained, { step, best: null })
      },
      last: async () => {
        const loss = (await updates.readMetrics()).findLast(({ name }) => name === TRAIN_LOSS)
        const gradients = done ? updates.gradients() : {}
        const norm = done ? globalNorm(Object.values(gradients)) : null
        const gradientNorm = (await norm?.data())?.[0] ?? 0
        tf.dispose([gradients, norm ?? []])
        return loss ? { loss: loss.value, gradientNorm } : null
      },
    })
    yield until()
    for (;;) {
      const { value: batch } = await batches.next()
      try {
        await updates.run(batch, step, parts.learningRate(step), true)
      } finally {
        tf.dispose(batch)
      }
      step++
      done = true
      yield until()
    }
  } finally {
    updates.dispose()
    average.dispose()
    optimizer.dispose()
    await batches?.return(undefined)
  }
}
