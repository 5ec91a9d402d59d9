import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import { globalNorm } from '../clip.ts'
import { adamUpdate, betas, MOMENTS } from './moments.ts'
import { perParameter } from './perParameter.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

// learning rate and decay as ResMLP was trained with (Touvron et al. 2021, section 3)
const schema = z.strictObject({
  learningRate: z.number().positive().default(5e-3),
  ...betas,
  eps: z.number().positive().default(1e-6),
  weightDecay: z.number().min(0).default(0.2),
  /** Gradients with a larger global norm are scaled down to it; null or 0 for none. */
  maxGradNorm: z.number().min(0).nullable().default(1),
})

/** LAMB for a recipe, e.g. `lamb({ learningRate: 5e-3, weightDecay: 0.2 })`. */
export function lamb(options: z.input<typeof schema> = {}): OptimizerSpec {
  return { optimizer: 'lamb', options }
}

/**
 * LAMB (You et al. 2020) as timm has it: gradients over max(1, global norm / maxGradNorm), then for each parameter w the
 * bias-corrected Adam update u + weightDecay * w, times |w| / |u| (1 if either is 0), times the learning rate. Without
 * weight decay there is neither the decay nor the ratio.
 */
export const lambKind: OptimizerKind = {
  resolve: (options) => parseOptions(schema, options, 'train.optimizer'),
  create: (options, parameters) => {
    const { weightDecay, maxGradNorm, ...moments } = options as z.output<typeof schema>
    return perParameter(parameters, {
      slots: MOMENTS,
      prepare: maxGradNorm ? (gradients) => limited(gradients, maxGradNorm) : undefined,
      next: (change) => {
        const { parameter, learningRate } = change
        const { variable, decay } = parameter
        const adam = adamUpdate(change, moments)
        if (!decay || weightDecay === 0) return tf.sub(variable, tf.mul(adam, learningRate))
        const update = tf.add(adam, tf.mul(variable, weightDecay))
        return tf.sub(variable, tf.mul(update, tf.mul(trustRatio(variable, update), learningRate)))
      },
      kernel: { name: 'LambUpdate', options: { ...moments, weightDecay, maxGradNorm: maxGradNorm ?? 0 } },
    })
  },
}

/** Gradients over max(1, global norm / maxGradNorm). */
function limited(gradients: tf.NamedTensorMap, maxGradNorm: number): tf.NamedTensorMap {
  const divisor = tf.maximum(1, tf.div(globalNorm(Object.values(gradients)), maxGradNorm))
  return Object.fromEntries(Object.entries(gradients).map(([name, gradient]) => [name, tf.div(gradient, divisor)]))
}

/** |w| / |u|, or 1 if either norm is 0; a scalar. */
function trustRatio(parameter: tf.Tensor, update: tf.Tensor): tf.Tensor {
  const [w, u] = [globalNorm([parameter]), globalNorm([update])]
  return tf.where(tf.greater(tf.minimum(w, u), 0), tf.div(w, u), 1)
}
