import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

const schema = z.strictObject({
  learningRate: z.number().positive().default(1e-3),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.999),
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
    const { beta1, beta2, eps, weightDecay } = options as z.output<typeof schema>
    const slots = parameters.map(({ name, shape, variable, decay }) => ({
      name,
      variable,
      decay,
      mean: tf.tidy(() => tf.variable(tf.zeros(shape), false)),
      square: tf.tidy(() => tf.variable(tf.zeros(shape), false)),
    }))
    let step = 0
    return {
      update: (gradients, learningRate) => {
        step += 1
        const meanScale = learningRate / (1 - beta1 ** step)
        const squareScale = 1 / (1 - beta2 ** step)
        for (const { name, variable, decay, mean, square } of slots) {
          tf.tidy(() => {
            const gradient = gradients[name] as tf.Tensor
            mean.assign(tf.add(tf.mul(mean, beta1), tf.mul(gradient, 1 - beta1)))
            square.assign(tf.add(tf.mul(square, beta2), tf.mul(tf.square(gradient), 1 - beta2)))
            const root = tf.add(tf.sqrt(tf.mul(square, squareScale)), eps)
            const kept = decay ? tf.mul(variable, 1 - learningRate * weightDecay) : variable
            variable.assign(tf.sub(kept, tf.div(tf.mul(mean, meanScale), root)))
          })
        }
      },
      dispose: () => {
        for (const { mean, square } of slots) tf.dispose([mean, square])
      },
    }
  },
}
