import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { globalNorm } from '../clip.ts'
import { adamUpdate, betas, biasCorrections, MOMENTS } from './moments.ts'
import { builtIn, optimizer } from './optimizer.ts'

// learning rate and decay as ResMLP was trained with (Touvron et al. 2021, section 3)
const schema = z.strictObject({
  learningRate: z.number().positive().default(5e-3),
  ...betas,
  eps: z.number().positive().default(1e-6),
  weightDecay: z.number().min(0).default(0.2),
  /** Gradients with a larger global norm are scaled down to it; null or 0 for none. */
  maxGradNorm: z.number().min(0).nullable().default(1),
})

const rule = optimizer('lamb', schema, {
  state: MOMENTS,
  scalars: ({ step, options }) => biasCorrections(step, options),
  update: (given) => {
    const { weight, learningRate, decay } = given
    const { moments, change } = adamUpdate(given, limited(given))
    if (!decay) return { weight: tf.sub(weight, tf.mul(change, learningRate)), ...moments }
    const update = tf.add(change, tf.mul(weight, decay))
    return { weight: tf.sub(weight, tf.mul(update, tf.mul(trustRatio(weight, update), learningRate))), ...moments }
  },
})

/**
 * LAMB for a recipe, e.g. `lamb({ learningRate: 5e-3, weightDecay: 0.2 })` (You et al. 2020), as timm has it: gradients over
 * max(1, global norm / maxGradNorm), then for each parameter w the bias-corrected Adam update u + weightDecay * w, times
 * |w| / |u| (1 if either is 0), times the learning rate. Without weight decay there is neither the decay nor the ratio.
 */
export const lamb = builtIn(rule, 'LambUpdate')

/** The gradient over max(1, global norm / maxGradNorm). */
function limited(given: { gradient: tf.Tensor; norm: tf.Scalar; options: { maxGradNorm: number | null } }): tf.Tensor {
  const { maxGradNorm } = given.options
  return maxGradNorm ? tf.div(given.gradient, tf.maximum(1, tf.div(given.norm, maxGradNorm))) : given.gradient
}

/** |w| / |u|, or 1 if either norm is 0; a scalar. */
function trustRatio(weight: tf.Tensor, update: tf.Tensor): tf.Tensor {
  const [w, u] = [globalNorm([weight]), globalNorm([update])]
  return tf.where(tf.greater(tf.minimum(w, u), 0), tf.div(w, u), 1)
}
