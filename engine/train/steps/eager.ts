import * as tf from '@tensorflow/tfjs-core'
import { accumulating } from '../accumulate.ts'
import { clipByGlobalNorm } from '../clip.ts'
import { deferredScalars } from '../deferredScalars.ts'
import { differentiator } from '../differentiate.ts'
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
  return {
    run: async (batch, step, learningRate, keep) => {
      const { loss, gradients } = await differences.run(batch, step)
      tf.tidy(() => {
        const clipped = recipe.clip ? clipByGlobalNorm(gradients, recipe.clip) : { gradients }
        optimizer.update(clipped.gradients, learningRate)
        average.update()
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
    fallback: whole.fallback,
    dispose: () => {
      drop()
      unread.dispose()
      differences.dispose()
    },
  }
}
