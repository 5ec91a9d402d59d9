import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import { adamUpdate, betas, MOMENTS } from './moments.ts'
import { perParameter } from './perParameter.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

const schema = z.strictObject({
  learningRate: z.number().positive().default(1e-3),
  ...betas,
  eps: z.number().positive().default(1e-8),
  weightDecay: z.number().min(0).default(0.05),
})

/** AdamW for a recipe, e.g. `adamw({ learningRate: 1e-3, weightDecay: 0.05 })`. */
export function adamw(options: z.input<typeof schema> = {}): OptimizerSpec {
  return { optimizer: 'adamw', options }
}

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter 2019), as torch.optim.AdamW: the decay multiplies the
 * parameter by 1 - lr * weightDecay, both moments are bias-corrected, eps is added to the corrected root.
 */
export const adamwKind: OptimizerKind = {
  resolve: (options) => parseOptions(schema, options, 'train.optimizer'),
  create: (options, parameters) => {
    const { weightDecay, ...moments } = options as z.output<typeof schema>
    return perParameter(parameters, {
      slots: MOMENTS,
      next: (change) => {
        const { parameter, learningRate } = change
        const { variable, decay } = parameter
        const update = adamUpdate(change, moments, learningRate)
        return tf.sub(decay ? tf.mul(variable, 1 - learningRate * weightDecay) : variable, update)
      },
      kernel: { name: 'AdamWUpdate', options: { ...moments, weightDecay } },
    })
  },
}
