import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { minimum } from '../operations/extremes.ts'
import { gelu } from './gelu.ts'

const SLOPE = Math.sqrt(2 / Math.PI)
const CUBIC = 0.044715

/** GELU by its tanh approximation, the default of Flax and of Google's BERT. Any shape. */
export const geluTanh: (x: tf.Tensor) => tf.Tensor = differentiable(
  (x: tf.Tensor) => {
    const square = tf.square(x)
    const t = tf.tanh(tf.mul(tf.mul(x, SLOPE), tf.add(1, tf.mul(CUBIC, square))))
    return { value: tf.mul(tf.mul(0.5, x), tf.add(1, t)), saved: [x, t] }
  },
  (dy, [x, t]) => {
    const inner = tf.mul(SLOPE, tf.add(1, tf.mul(3 * CUBIC, tf.square(x))))
    const slope = tf.mul(tf.mul(0.5, x), tf.mul(tf.sub(1, tf.square(t)), inner))
    return tf.mul(dy, tf.add(tf.mul(0.5, tf.add(1, t)), slope))
  },
)

/** x sigmoid(slope x): SiLU (Elfwing et al. 2017), and with 1.702 what approximates GELU (Hendrycks & Gimpel 2016) in CLIP. */
const gated = (slope: number) => (x: tf.Tensor) => tf.mul(x, tf.sigmoid(slope === 1 ? x : tf.mul(x, slope)))

/** x sigmoid(x), SiLU or Swish. Any shape. */
export const silu: (x: tf.Tensor) => tf.Tensor = gated(1)

/** x min(max(x + 3, 0), 6) / 6, which approximates SiLU (Howard et al. 2019). Any shape. */
export const hardSwish = (x: tf.Tensor): tf.Tensor => tf.mul(x, tf.mul(minimum(tf.relu(tf.add(x, 3)), 6), 1 / 6))

/** What the option `activation` of a model names. Papers and implementations disagree on the form of GELU. */
export const activations = {
  gelu,
  gelu_tanh: geluTanh,
  quick_gelu: gated(1.702),
  silu,
  relu: tf.relu as (x: tf.Tensor) => tf.Tensor,
}

export type Activation = keyof typeof activations

/** Applies the activation that an option names. */
export function activate(x: tf.Tensor, name: Activation): tf.Tensor {
  return activations[name](x)
}
