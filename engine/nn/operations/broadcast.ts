import * as tf from '@tensorflow/tfjs-core'

/** A number as a tensor without axes. */
export const asTensor = (x: tf.Tensor | number): tf.Tensor => (typeof x === 'number' ? tf.scalar(x) : x)

/** From the gradient of a broadcast tensor that of the tensor of `shape`: summed over the axes that were repeated. */
export function unbroadcast(dy: tf.Tensor, shape: number[]): tf.Tensor {
  const axes = tf.broadcast_util.getReductionAxes(shape, dy.shape)
  return tf.reshape(axes.length > 0 ? tf.sum(dy, axes) : dy, shape)
}
