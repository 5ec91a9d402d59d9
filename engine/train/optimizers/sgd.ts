import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import { perParameter } from './perParameter.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

// defaults as ResNet was trained with on CIFAR (He et al. 2016, section 4.2)
const schema = z
  .strictObject({
    learningRate: z.number().positive().default(0.1),
    momentum: z.number().min(0).lt(1).default(0.9),
    nesterov: z.boolean().default(false),
    weightDecay: z.number().min(0).default(1e-4),
  })
  .refine(({ momentum, nesterov }) => momentum > 0 || !nesterov, { path: ['nesterov'], error: 'a momentum above 0' })

/** Stochastic gradient descent for a recipe, e.g. `sgd({ learningRate: 0.1, momentum: 0.9, nesterov: true })`. */
export function sgd(options: z.input<typeof schema> = {}): OptimizerSpec {
  return { optimizer: 'sgd', options }
}

/**
 * SGD with momentum as torch.optim.SGD: weightDecay * parameter is added to the gradient g, the buffer becomes
 * momentum * buffer + g and starts as g; the step goes along the buffer, with Nesterov along g + momentum * buffer.
 */
export const sgdKind: OptimizerKind = {
  resolve: (options) => parseOptions(schema, options, 'train.optimizer'),
  create: (options, parameters) => {
    const { momentum, nesterov, weightDecay } = options as z.output<typeof schema>
    return perParameter(parameters, {
      slots: ['momentum_buffer'],
      next: ({ parameter, gradient, learningRate, memory }) => {
        const { variable, decay } = parameter
        const { momentum_buffer: buffer } = memory
        const g = decay ? tf.add(gradient, tf.mul(variable, weightDecay)) : gradient
        buffer.assign(tf.add(tf.mul(buffer, momentum), g))
        const direction = nesterov ? tf.add(g, tf.mul(buffer, momentum)) : buffer
        return tf.sub(variable, tf.mul(direction, learningRate))
      },
      kernel: { name: 'SgdUpdate', options: { momentum, nesterov, weightDecay } },
    })
  },
}
