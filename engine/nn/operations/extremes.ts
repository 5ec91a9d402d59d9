import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { asTensor, unbroadcast } from './broadcast.ts'

type Extreme = (a: tf.Tensor | number, b: tf.Tensor | number) => tf.Tensor

/** `ahead` is positive where the first one is taken. Where both are equal, each has half of the gradient, as in PyTorch. */
const extreme = (run: Extreme, ahead: (a: tf.Tensor, b: tf.Tensor) => tf.Tensor): Extreme => {
  const taken = differentiable(
    (a: tf.Tensor, b: tf.Tensor) => ({ value: run(a, b), saved: [a, b] }),
    (dy, [a, b]) => {
      const by = ahead(a, b)
      const share = tf.mul(0.5, tf.add(1, tf.sub(tf.step(by), tf.step(tf.neg(by))))) // 1, 0 or a half
      const da = tf.mul(dy, share)
      return [unbroadcast(da, a.shape), unbroadcast(tf.sub(dy, da), b.shape)]
    },
  )
  return (a, b) => taken(asTensor(a), asTensor(b))
}

/** The larger of a and b, value by value, broadcast. */
export const maximum: Extreme = extreme(tf.maximum, tf.sub)
/** The smaller of a and b, value by value, broadcast. */
export const minimum: Extreme = extreme(tf.minimum, (a, b) => tf.sub(b, a))
