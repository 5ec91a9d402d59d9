import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { asTensor, unbroadcast } from './broadcast.ts'

/**
 * `a` where the condition is true, else `b`, all three broadcast. `condition` is bool, as comparisons give it, and has no
 * gradient; each of `a` and `b` has that of the places where it was taken.
 */
export function where(condition: tf.Tensor, a: tf.Tensor | number, b: tf.Tensor | number): tf.Tensor {
  return differentiable(
    (a: tf.Tensor, b: tf.Tensor) => ({ value: tf.where(condition, a, b), saved: [condition, a, b] }),
    (dy, [chosen, a, b]) => {
      const da = tf.mul(dy, tf.cast(chosen, 'float32'))
      return [unbroadcast(da, a.shape), unbroadcast(tf.sub(dy, da), b.shape)]
    },
  )(asTensor(a), asTensor(b))
}
