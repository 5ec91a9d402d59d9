import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { adamUpdate, betas, biasCorrections, MOMENTS } from './moments.ts'
import { builtIn, optimizer } from './optimizer.ts'

const schema = z.strictObject({
  learningRate: z.number().positive().default(1e-3),
  ...betas,
  eps: z.number().positive().default(1e-8),
  weightDecay: z.number().min(0).default(0.05),
})

const rule = optimizer('adamw', schema, {
  state: MOMENTS,
  scalars: ({ learningRate, step, options }) => ({
    ...biasCorrections(step, options, learningRate),
    kept: 1 - learningRate * options.weightDecay,
  }),
  update: (given) => {
    const { weight, decay, kept } = given
    const { moments, change } = adamUpdate(given)
    return { weight: tf.sub(decay ? tf.mul(weight, kept) : weight, change), ...moments }
  },
})

/**
 * AdamW for a recipe, e.g. `adamw({ learningRate: 1e-3, weightDecay: 0.05 })`: Adam with decoupled weight decay (Loshchilov
 * and Hutter 2019), as torch.optim.AdamW: the decay multiplies the parameter by 1 - lr * weightDecay, both moments are
 * bias-corrected, eps is added to the corrected root.
 */
export const adamw = builtIn(rule, 'AdamWUpdate')
