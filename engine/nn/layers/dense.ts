import * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import { LINEAR } from '../layout.ts'
import { parameter, scope } from '../scope.ts'
import { tokenGridOf } from './tokenGrid.ts'

export interface DenseOptions {
  name?: string
  weight?: Initialiser
  /** False for a layer without bias. */
  bias?: Initialiser | false
  /** How many axes of length 1 the weight has in files, where the reference is a convolution with kernel 1. */
  kernelAxes?: 0 | 1 | 2
  /**
   * What lies along the last axis where it is not channels: tokens, of an input that the block has turned around, or hidden
   * units over tokens; only drawings of the weights ask.
   */
  axis?: 'tokens' | 'hidden' | undefined
}

/** x W + b over the channel axis: `[..., in]` to `[..., units]`. */
export function dense(x: tf.Tensor, units: number, options: DenseOptions = {}): tf.Tensor {
  const { name, weight = xavierUniform, bias = zeros, kernelAxes = 0, axis } = options
  return scope('dense', name, () => {
    const inputs = x.shape.at(-1) ?? 1
    const layout = kernelAxes ? { ...LINEAR, shape: [units, inputs, 1, 1].slice(0, 2 + kernelAxes) } : LINEAR
    const tokenGrid = axis && { tokenGrid: axis === 'tokens' ? tokenGridOf(inputs) : null }
    const kernel = parameter('weight', [inputs, units], weight, { layout, ...tokenGrid }) as tf.Tensor as tf.Tensor2D
    const rows = tf.reshape(x, [-1, inputs]) as tf.Tensor2D // [batch * tokens, in]
    const y = tf.reshape(tf.matMul(rows, kernel), [...x.shape.slice(0, -1), units])
    return bias ? tf.add(y, parameter('bias', [units], bias, { fans: { in: inputs, out: units } })) : y
  })
}
