import * as tf from '@tensorflow/tfjs-core'
import { axisOf } from './axis.ts'

/**
 * Shares that add up to 1 along `axis`, the last by default: exp(x) / sum(exp(x)). Any shape. Throws MixlabError `option`
 * where there is no such axis.
 */
export function softmax(x: tf.Tensor, axis = -1): tf.Tensor {
  const [at, last] = [axisOf('softmax', x, axis), x.rank - 1]
  if (at === last) return tf.softmax(x)
  const swapped = [...x.shape.keys()].with(at, last).with(last, at)
  return tf.transpose(tf.softmax(tf.transpose(x, swapped)), swapped)
}
