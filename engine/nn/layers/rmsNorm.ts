import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { ones } from '../initialisers.ts'
import { parameter, scope } from '../scope.ts'

export interface RmsNormOptions {
  name?: string
  /** Added to the mean square; 1e-6 as in T5 and LLaMA. */
  eps?: number
}

/** x / sqrt(mean(x^2) + eps) over the channels, times a scale: `[..., dim]` (Zhang and Sennrich 2019). */
export function rmsNorm(x: tf.Tensor, options: RmsNormOptions = {}): tf.Tensor {
  const { name, eps = 1e-6 } = options
  return scope('norm', name, () => tf.mul(normalize(x, eps), parameter('weight', [x.shape.at(-1) ?? 1], ones)))
}

function normalize(x: tf.Tensor, eps: number): tf.Tensor {
  return differentiable(
    (x: tf.Tensor) => {
      const scale = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps)) // [..., 1]
      const value = tf.mul(x, scale)
      return { value, saved: [value, scale] }
    },
    (dy, [value, scale]) => tf.mul(tf.sub(dy, tf.mul(value, tf.mean(tf.mul(dy, value), -1, true))), scale),
  )(x)
}
