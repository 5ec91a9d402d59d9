import * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, xavierUniform, zeros } from './initialisers.ts'
import { LINEAR } from './layout.ts'
import { parameter, scope } from './scope.ts'

export interface DenseOptions {
  name?: string
  weight?: Initialiser
  /** False for a layer without bias. */
  bias?: Initialiser | false
}

/** x W + b over the channel axis: `[..., in]` to `[..., units]`. */
export function dense(x: tf.Tensor, units: number, options: DenseOptions = {}): tf.Tensor {
  const { name, weight = xavierUniform, bias = zeros } = options
  return scope('dense', name, () => {
    const inputs = x.shape.at(-1) ?? 1
    const kernel = parameter('weight', [inputs, units], weight, { layout: LINEAR }) as tf.Tensor2D
    const rows = tf.reshape(x, [-1, inputs]) as tf.Tensor2D // [batch * tokens, in]
    const product = tf.matMul(rows, kernel)
    const y = bias ? tf.add(product, parameter('bias', [units], bias)) : product
    return tf.reshape(y, [...x.shape.slice(0, -1), units])
  })
}
