import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { builtIn, optimizer } from './optimizer.ts'
import { ruleError } from './rule.ts'

const schema = z.strictObject({
  learningRate: z.number().positive().default(0.02),
  momentum: z.number().min(0).lt(1).default(0.95),
  nesterov: z.boolean().default(true),
  iterations: z.int().min(1).default(5),
  weightDecay: z.number().min(0).default(0),
})

const rule = optimizer('muon', schema, {
  state: ['momentum_buffer'],
  update: ({ weight, gradient, momentum_buffer, learningRate, decay, options: { momentum, nesterov, iterations } }) => {
    const buffer = tf.add(tf.mul(momentum_buffer, momentum), gradient)
    const direction = orthogonal(nesterov ? tf.add(gradient, tf.mul(buffer, momentum)) : buffer, iterations)
    const change = decay ? tf.add(direction, tf.mul(weight, decay)) : direction
    return { weight: tf.sub(weight, tf.mul(change, learningRate)), momentum_buffer: buffer }
  },
})

/**
 * Muon for a recipe, of matrices alone, hence in `groups`: `muon({ learningRate: 0.02 })` (Jordan 2024). The step goes along
 * the momentum buffer momentum * buffer + g, with Nesterov along g + momentum * buffer, made nearly orthogonal and times
 * sqrt(max(1, out / in)); weight decay as in AdamW. Weights of more axes are matrices of all others by the last one.
 */
export const muon = builtIn(rule)

/** Of the quintic polynomial whose iteration takes singular values to about 1 (Jordan 2024). */
const [A, B, C] = [3.4445, -4.775, 2.0315]

/**
 * The nearest matrix with singular values of about 1, by so many Newton-Schulz iterations, times sqrt(max(1, out / in)) for
 * a weight `[..., in, out]`.
 */
function orthogonal(direction: tf.Tensor, iterations: number): tf.Tensor {
  if (direction.shape.length < 2) {
    throw ruleError('muon', `a weight of [${direction.shape}] is no matrix; give it to another optimizer in groups`)
  }
  const outputs = direction.shape.at(-1) as number
  const matrix = tf.reshape(direction, [-1, outputs]) as tf.Tensor2D
  const [inputs] = matrix.shape
  const tall = inputs > outputs
  let x: tf.Tensor2D = tf.div(matrix, tf.add(tf.sqrt(tf.sum(tf.square(matrix))), 1e-7))
  if (tall) x = tf.transpose(x)
  for (let i = 0; i < iterations; i++) {
    const gram = tf.matMul(x, x, false, true)
    const series = tf.add(tf.mul(gram, B), tf.mul(tf.matMul(gram, gram), C))
    x = tf.add(tf.mul(x, A), tf.matMul(series as tf.Tensor2D, x))
  }
  const back = tall ? tf.transpose(x) : x
  return tf.reshape(tf.mul(back, Math.sqrt(Math.max(1, outputs / inputs))), direction.shape)
}
