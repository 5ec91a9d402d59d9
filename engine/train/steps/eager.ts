import * as tf from '@tensorflow/tfjs-core'
import { accumulating } from '../accumulate.ts'
import { clipByGlobalNorm } from '../clip.ts'
import { deferredScalars } from '../deferredScalars.ts'
import { differentiator } from '../differentiate.ts'
import { withWeights } from '../withWeights.ts'
import { NORM, TRAIN_LOSS, type TrainingParts, type TrainingSteps } from './types.ts'

/** Steps whose gradients come from a `program` where the backend has them, and whose updates are operations of tfjs. */
export function eagerSteps(
  { model, lossOf, optimizer, average, recipe }: TrainingParts,
  program: boolean,
): TrainingSteps {
  const whole = differentiator(model, lossOf, { program })
  const differences = accumulating(whole, recipe.accumulate)
  const unread = deferredScalars()
  let last: tf.NamedTensorMap = {}
  const drop = () => {
    tf.dispose(last)
    last = {}
  }
  /** What the optimizer gets: the gradients at other weights, where it wants these instead. */
  async function secondGradients(
    first: tf.NamedTensorMap,
    batch: tf.NamedTensorMap,
    step: number,
    learningRate: number,
  ): Promise<tf.NamedTensorMap> {
    const points = optimizer.secondGradient?.(first, learningRate)
    if (!points) return first
    tf.dispose(first)
    // running statistics, too, are those of the first pass
    return withWeights(model.parameters, points, async () => {
      const { loss, gradients } = await differences.run(batch, step)
      loss.dispose()
      return gradients
    })
  }

  return {
    run: async (batch, step, learningRate, keep) => {
      await optimizer.prepare?.(program)
      const { loss, ...first } = await differences.run(batch, step)
      const gradients = await secondGradients(first.gradients, batch, step, learningRate)
      tf.tidy(() => {
        const clipped = recipe.clip ? clipByGlobalNorm(gradients, recipe.clip) : { gradients }
        optimizer.update(clipped.gradients, learningRate)
        average.update(step + 1)
        unread.add(step + 1, { [TRAIN_LOSS]: loss })
        if ('norm' in clipped) unread.add(step + 1, { [NORM]: clipped.norm })
      })
      drop()
      if (keep) last = gradients
      else tf.dispose(gradients)
    },
    gradients: () => {
      const taken = last
      last = {}
      return taken
    },
    readMetrics: unread.readAll,
    syncVariables: () => {},
    profile: async () => null,
    note: () => null,
    fallback: () => whole.fallback() ?? optimizer.fallback?.() ?? null,
    dispose: () => {
      drop()
      unread.dispose()
      differences.dispose()
    },
  }
}
