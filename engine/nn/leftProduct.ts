import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from './differentiable.ts'

/**
 * W x for each sample: `[out, in]` and `[batch, in, dim]` to `[batch, out, dim]`. tfjs broadcasts W over the batch in
 * its matrix product but does not sum its gradient, hence the closed form.
 */
export const leftProduct = differentiable(
  (matrix: tf.Tensor, x: tf.Tensor) => ({ value: tf.matMul(tf.expandDims(matrix, 0), x), saved: [matrix, x] }),
  (dy, [matrix, x]) => [tf.sum(tf.matMul(dy, x, false, true), 0), tf.matMul(tf.expandDims(matrix, 0), dy, true, false)],
)
