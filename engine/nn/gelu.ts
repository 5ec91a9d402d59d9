import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from './differentiable.ts'

const DENSITY_AT_ZERO = 1 / Math.sqrt(2 * Math.PI)

/** Exact GELU, x * Phi(x) (Hendrycks and Gimpel 2016). Any shape. */
export const gelu: (x: tf.Tensor) => tf.Tensor = differentiable(
  (x: tf.Tensor) => {
    const phi = tf.mul(0.5, tf.add(1, tf.erf(tf.mul(x, Math.SQRT1_2))))
    return { value: tf.mul(x, phi), saved: [x, phi] }
  },
  (dy, [x, phi]) => {
    const density = tf.mul(DENSITY_AT_ZERO, tf.exp(tf.mul(-0.5, tf.square(x))))
    return tf.mul(dy, tf.add(phi, tf.mul(x, density)))
  },
)
