import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { builtIn, optimizer } from './optimizer.ts'

// defaults as ResNet was trained with on CIFAR (He et al. 2016, section 4.2)
const schema = z
  .strictObject({
    learningRate: z.number().positive().default(0.1),
    momentum: z.number().min(0).lt(1).default(0.9),
    nesterov: z.boolean().default(false),
    weightDecay: z.number().min(0).default(1e-4),
  })
  .refine(({ momentum, nesterov }) => momentum > 0 || !nesterov, { path: ['nesterov'], error: 'a momentum above 0' })

const rule = optimizer('sgd', schema, {
  state: ['momentum_buffer'],
  update: ({ weight, gradient, momentum_buffer, learningRate, decay, options: { momentum, nesterov } }) => {
    const g = decay ? tf.add(gradient, tf.mul(weight, decay)) : gradient
    const buffer = tf.add(tf.mul(momentum_buffer, momentum), g)
    const direction = nesterov ? tf.add(g, tf.mul(buffer, momentum)) : buffer
    return { weight: tf.sub(weight, tf.mul(direction, learningRate)), momentum_buffer: buffer }
  },
})

/**
 * Stochastic gradient descent for a recipe, e.g. `sgd({ learningRate: 0.1, momentum: 0.9, nesterov: true })`, as
 * torch.optim.SGD: weightDecay * parameter is added to the gradient g, the buffer becomes momentum * buffer + g and starts
 * as g; the step goes along the buffer, with Nesterov along g + momentum * buffer.
 */
export const sgd = builtIn(rule, 'SgdUpdate')
