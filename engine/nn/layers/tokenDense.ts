import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import { leftProduct } from '../leftProduct.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { triangle } from '../operations/triangle.ts'
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
  /**
   * Whether an output token reads no input token after it: W times a triangle of ones. The values above the diagonal are in
   * the files and count as parameters; they do nothing and have no gradient.
   */
  causal?: boolean
  /** Whether its inputs are hidden units over the tokens, not tokens themselves; only drawings of the weights ask. */
  hidden?: boolean
}

/**
 * W x + b over the token axis, the same for all channels: `[batch, tokens, dim]` to `[batch, outTokens, dim]`. Throws
 * MixlabError `option` where it is causal with other output tokens than input tokens.
 */
export function tokenDense(x: tf.Tensor, options: TokenDenseOptions = {}): tf.Tensor {
  const inputs = x.shape[1] ?? 1
  const { name, tokens = inputs, weight = xavierUniform, bias = zeros, structure = 'dense', hidden = false } = options
  const { causal = false } = options
  if (causal && tokens !== inputs) {
    throw new MixlabError('option', 'tokenDense', `causal from ${inputs} tokens to ${tokens}, expected as many`)
  }
  return scope('token_dense', name, () => {
    const fans = { in: inputs, out: tokens }
    const tokenGrid = hidden ? null : tokenGridOf(inputs)
    const matrix =
      structure === 'toeplitz'
        ? toeplitz(parameter('toeplitz', [2 * inputs - 1], weight, { fans, decay: true, tokenGrid }), inputs)
        : parameter('weight', [tokens, inputs], weight, { fans, tokenGrid })
    const y = leftProduct(causal ? tf.mul(matrix, triangle(inputs, 1, 0)) : matrix, x)
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
