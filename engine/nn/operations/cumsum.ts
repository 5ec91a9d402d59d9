import * as tf from '@tensorflow/tfjs-core'
import { axisOf } from './axis.ts'
import { triangle } from './triangle.ts'

/**
 * Cumulative sum: that of all values up to each one along an axis, 1 by default, the tokens: a product with a triangle of ones. Throws
 * MixlabError `option` where there is no such axis.
 */
export function cumsum(x: tf.Tensor, axis = 1): tf.Tensor {
  const at = axisOf('cumsum', x, axis)
  const length = x.shape[at] as number
  const ones = triangle(length, 1, 0)
  if (at === x.rank - 1) {
    return tf.reshape(tf.matMul(tf.reshape(x, [-1, length]), ones, false, true), x.shape)
  }
  const outer = tf.util.sizeFromShape(x.shape.slice(0, at))
  const columns = tf.reshape(x, [outer, length, tf.util.sizeFromShape(x.shape.slice(at + 1))])
  return tf.reshape(tf.matMul(tf.expandDims(ones, 0), columns), x.shape)
}
