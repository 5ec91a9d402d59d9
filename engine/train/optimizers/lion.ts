import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { betas } from './moments.ts'
import { builtIn, optimizer } from './optimizer.ts'

// defaults as Chen et al. 2023, section 5: a rate 3 to 10 times smaller and a decay as many times larger than with AdamW
const schema = z.strictObject({
  learningRate: z.number().positive().default(1e-4),
  ...betas,
  beta2: betas.beta2.default(0.99),
  weightDecay: z.number().min(0).default(0.5),
})

const mixed = (a: tf.Tensor, b: tf.Tensor, share: number) => tf.add(tf.mul(a, share), tf.mul(b, 1 - share))

const rule = optimizer('lion', schema, {
  state: ['exp_avg'],
  update: ({ weight, gradient, exp_avg, learningRate, decay, options: { beta1, beta2 } }) => ({
    weight: tf.sub(
      weight,
      tf.mul(tf.add(tf.sign(mixed(exp_avg, gradient, beta1)), tf.mul(weight, decay)), learningRate),
    ),
    exp_avg: mixed(exp_avg, gradient, beta2),
  }),
})

/**
 * Lion for a recipe, e.g. `lion({ learningRate: 1e-4, weightDecay: 0.5 })` (Chen et al. 2023, algorithm 2): the step goes along
 * the sign of beta1 * m + (1 - beta1) * g plus weightDecay * w; the momentum m then becomes beta2 * m + (1 - beta2) * g.
 */
export const lion = builtIn(rule)
