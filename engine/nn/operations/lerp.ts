import * as tf from '@tensorflow/tfjs-core'

/**
 * Linear interpolation from a to b by a weight, (1 - weight) a + weight b: value by value, broadcast, as `torch.lerp`. With
 * `shift(x, 1)` as a it is the token shift of RWKV.
 */
export function lerp(a: tf.Tensor, b: tf.Tensor, weight: tf.Tensor | number): tf.Tensor {
  return tf.add(tf.mul(weight, b), tf.mul(tf.sub(1, weight), a))
}
