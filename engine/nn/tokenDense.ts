import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from './differentiable.ts'
import { type Initialiser, xavierUniform, zeros } from './initialisers.ts'
import { parameter, scope } from './scope.ts'

export interface TokenDenseOptions {
  name?: string
  /** Number of output tokens; as many as input tokens by default. */
  tokens?: number
  weight?: Initialiser
  /** One value per output token; false for a layer without bias. */
  bias?: Initialiser | false
}

/** W x + b over the token axis, the same for all channels: `[batch, tokens, dim]` to `[batch, outTokens, dim]`. */
export function tokenDense(x: tf.Tensor, options: TokenDenseOptions = {}): tf.Tensor {
  const inputs = x.shape[1] ?? 1
  const { name, tokens = inputs, weight = xavierUniform, bias = zeros } = options
  return scope('token_dense', name, () => {
    const matrix = parameter('weight', [tokens, inputs], weight, { fans: { in: inputs, out: tokens } })
    const y = leftProduct(matrix, x)
    return bias ? tf.add(y, tf.reshape(parameter('bias', [tokens], bias), [tokens, 1])) : y
  })
}

/**
 * W x for each sample: `[out, in]` and `[batch, in, dim]` to `[batch, out, dim]`. tfjs broadcasts W over the batch in
 * its matrix product but does not sum its gradient, hence the closed form.
 */
const leftProduct = differentiable(
  (matrix: tf.Tensor, x: tf.Tensor) => ({ value: tf.matMul(tf.expandDims(matrix, 0), x), saved: [matrix, x] }),
  (dy, [matrix, x]) => [tf.sum(tf.matMul(dy, x, false, true), 0), tf.matMul(tf.expandDims(matrix, 0), dy, true, false)],
)
