import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { parameter, scope } from '../scope.ts'
import { tokenGridOf } from './tokenGrid.ts'

export interface TokenDenseOptions {
  name?: string
  /** Number of output tokens; as many as input tokens by default. */
  tokens?: number
  weight?: Initialiser
  /** One value per output token; false for a layer without bias. */
  bias?: Initialiser | false
  /** `toeplitz`: W[i][j] depends on j - i alone, 2n - 1 values; output tokens are as many as input tokens. */
  structure?: 'dense' | 'toeplitz'
  /** Whether its inputs are hidden units over the tokens, not tokens themselves; only drawings of the weights ask. */
  hidden?: boolean
}

/** W x + b over the token axis, the same for all channels: `[batch, tokens, dim]` to `[batch, outTokens, dim]`. */
export function tokenDense(x: tf.Tensor, options: TokenDenseOptions = {}): tf.Tensor {
  const inputs = x.shape[1] ?? 1
  const { name, tokens = inputs, weight = xavierUniform, bias = zeros, structure = 'dense', hidden = false } = options
  return scope('token_dense', name, () => {
    const fans = { in: inputs, out: tokens }
    const tokenGrid = hidden ? null : tokenGridOf(inputs)
    const matrix =
      structure === 'toeplitz'
        ? toeplitz(parameter('toeplitz', [2 * inputs - 1], weight, { fans, decay: true, tokenGrid }), inputs)
        : parameter('weight', [tokens, inputs], weight, { fans, tokenGrid })
    const y = leftProduct(matrix, x)
    return bias ? tf.add(y, tf.reshape(parameter('bias', [tokens], bias), [tokens, 1])) : y
  })
}

/** W[i][j] = w[(n - 1) + (j - i)]: `[2n - 1]` to `[n, n]` ("Pay Attention to MLPs", appendix C). */
function toeplitz(values: tf.Tensor, n: number): tf.Tensor {
  return tf.reshape(tf.gather(values, tf.tensor1d(diagonals(n), 'int32')), [n, n])
}

/** For each place of an n x n matrix the number of its diagonal, from the lower left. */
function diagonals(n: number): Int32Array {
  return memoizedTable(`diagonals/${n}`, () => {
    const places = new Int32Array(n * n)
    for (let at = 0; at < n * n; at++) places[at] = n - 1 + (at % n) - Math.floor(at / n)
    return places
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
