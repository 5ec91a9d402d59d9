import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { betas } from './moments.ts'
import { builtIn, optimizer } from './optimizer.ts'

const schema = z.strictObject({
  learningRate: z.number().positive().default(2.5e-3),
  ...betas,
  eps: z.number().positive().default(1e-8),
  weightDecay: z.number().min(0).default(0),
})

const mixed = (a: tf.Tensor, b: tf.Tensor, share: tf.Tensor | number) => tf.add(a, tf.mul(tf.sub(b, a), share))

const rule = optimizer('schedule_free', schema, {
  state: (weight) => ({ z: weight, x: weight, exp_avg_sq: tf.zerosLike(weight), total: tf.scalar(0) }),
  scalars: ({ learningRate, step, options: { beta2 } }) => ({ rate: learningRate * Math.sqrt(1 - beta2 ** step) }),
  update: ({ weight, gradient, rate, decay, options: { beta1, beta2, eps }, ...state }) => {
    const square = tf.add(tf.mul(state.exp_avg_sq, beta2), tf.mul(tf.square(gradient), 1 - beta2))
    const change = tf.add(tf.div(gradient, tf.add(tf.sqrt(square), eps)), tf.mul(weight, decay))
    const z = tf.sub(state.z, tf.mul(change, rate))
    const total = tf.add(state.total, tf.square(rate))
    const x = mixed(state.x, z, tf.div(tf.square(rate), total))
    return { weight: mixed(z, x, beta1), z, x, exp_avg_sq: square, total }
  },
  evaluationWeights: ({ x }) => x,
})

/**
 * Schedule-free AdamW for a recipe, e.g. `scheduleFree({ learningRate: 2.5e-3 })` with `schedule: 'constant'` and a warmup
 * (Defazio et al. 2024, algorithm 1): gradients are taken at y, between the steps z of Adam without momentum and their
 * mean x, weighted by the squares of the learning rate; x is what is evaluated and saved.
 */
export const scheduleFree = builtIn(rule)
