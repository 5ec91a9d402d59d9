import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { fused } from '../fused.ts'

const DENSITY_AT_ZERO = 1 / Math.sqrt(2 * Math.PI)

/** Exact GELU, x * Phi(x) (Hendrycks and Gimpel 2016). Any shape. */
export const gelu: (x: tf.Tensor) => tf.Tensor = differentiable(
  (x: tf.Tensor) => ({ value: fused('Gelu', { x })?.[0] ?? tf.mul(x, phi(x)), saved: [x] }),
  (dy, [x]) => {
    const own = fused('GeluGrad', { dy, x })
    if (own) return own[0]
    const density = tf.mul(DENSITY_AT_ZERO, tf.exp(tf.mul(-0.5, tf.square(x))))
    return tf.mul(dy, tf.add(phi(x), tf.mul(x, density)))
  },
)

/** The share of a standard normal below x; computed again backward, which is cheaper than keeping it. */
function phi(x: tf.Tensor): tf.Tensor {
  return tf.mul(0.5, tf.add(1, tf.erf(tf.mul(x, Math.SQRT1_2))))
}
