import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import type { Layout } from '../layout.ts'
import { leftProduct } from '../leftProduct.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { einsum } from '../operations/einsum.ts'
import { triangle } from '../operations/triangle.ts'
import { parameter, scope, type TokenGrid } from '../scope.ts'
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
  /**
   * Share sets, as in RepMLP: channel c has matrix and bias c mod `sets`. They lie one below the other in files. 1 by default:
   * all channels have the same.
   */
  sets?: number
  /** How many axes of length 1 the weight has in files, where the reference is a convolution with kernel 1. */
  kernelAxes?: 0 | 1 | 2
  /** Whether its inputs are hidden units over the tokens, not tokens themselves; only drawings of the weights ask. */
  hidden?: boolean
  /** How the tokens lie, where they are not the patches of the image; only drawings of the weights ask. */
  grid?: TokenGrid
}

/**
 * W x + b over the token axis, the same for all channels of a share set: `[batch, tokens, dim]` to `[batch, outTokens, dim]`.
 * Throws MixlabError `option` where it is causal with other output tokens than input tokens, for sets that do not divide the
 * channels, and for Toeplitz matrices in sets.
 */
export function tokenDense(x: tf.Tensor, options: TokenDenseOptions = {}): tf.Tensor {
  const inputs = x.shape[1] ?? 1
  const { name, tokens = inputs, weight = xavierUniform, bias = zeros, structure = 'dense', hidden = false } = options
  const { causal = false, sets = 1, kernelAxes = 0, grid } = options
  checkSets('tokenDense', x, sets)
  if (sets > 1 && structure === 'toeplitz') {
    throw new MixlabError('option', 'tokenDense', `Toeplitz matrices in ${sets} sets, expected structure 'dense'`)
  }
  if (causal && tokens !== inputs) {
    throw new MixlabError('option', 'tokenDense', `causal from ${inputs} tokens to ${tokens}, expected as many`)
  }
  return scope('token_dense', name, () => {
    const fans = { in: inputs, out: tokens }
    const tokenGrid = hidden ? null : (grid ?? tokenGridOf(inputs))
    const layout: Layout = { shape: [sets * tokens, inputs, 1, 1].slice(0, 2 + kernelAxes) }
    const shape = sets > 1 ? [sets, tokens, inputs] : [tokens, inputs]
    const matrix =
      structure === 'toeplitz'
        ? toeplitz(parameter('toeplitz', [2 * inputs - 1], weight, { fans, decay: true, tokenGrid }), inputs)
        : parameter('weight', shape, weight, { fans, tokenGrid, layout })
    const seen = causal ? tf.mul(matrix, triangle(inputs, 1, 0)) : matrix
    if (sets > 1) return productOfSets(seen, x, bias)
    const y = leftProduct(seen, x)
    return bias ? tf.add(y, tf.reshape(parameter('bias', [tokens], bias), [tokens, 1])) : y
  })
}

/** Throws MixlabError `option` for share sets that do not divide the channels. */
export function checkSets(operation: string, x: tf.Tensor, sets: number): void {
  const channels = x.shape.at(-1) ?? 1
  if (channels % sets === 0) return
  throw new MixlabError('option', operation, `${channels} channels do not divide into ${sets} share sets`)
}

/** A matrix for each share set, `[sets, out, in]`, times the channels of that set. */
function productOfSets(matrices: tf.Tensor, x: tf.Tensor, bias: Initialiser | false): tf.Tensor {
  const [sets, tokens, inputs] = matrices.shape as [number, number, number]
  const channels = x.shape.at(-1) as number
  const apart = tf.reshape(x, [-1, inputs, channels / sets, sets])
  let y = einsum('sij,bjcs->bics', matrices, apart)
  if (bias) {
    const shifts = parameter('bias', [sets * tokens], bias, { fans: { in: inputs, out: tokens } })
    y = tf.add(y, tf.reshape(tf.transpose(tf.reshape(shifts, [sets, tokens])), [tokens, 1, sets]))
  }
  return tf.reshape(y, [-1, tokens, channels])
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
