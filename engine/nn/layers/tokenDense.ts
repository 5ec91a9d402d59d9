import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import type { Layout } from '../layout.ts'
import { leftProduct } from '../leftProduct.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { einsum } from '../operations/einsum.ts'
import { triangle } from '../operations/triangle.ts'
import { parameter, scope, type TokenGrid } from '../scope.ts'
import { batchNorm } from './batchNorm.ts'
import { checkSets } from './conv2d.ts'
import { depthwiseConv2d } from './depthwiseConv2d.ts'
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
  /** How the tokens lie, where they are not the patches of the image; drawings of the weights ask, and `locality`. */
  grid?: TokenGrid
  /**
   * Odd kernel sizes of convolutions over the grid of patches that this layer has while it trains, e.g. `[1, 3]`; folded into
   * W and b for inference (locality injection, see localTokens below). Without `tokens` they lie parallel to W: W x + b +
   * conv(x). With `tokens` the outputs are hidden units, which have no place in the grid, and they lie before W:
   * W (x + conv(x)) + b.
   */
  locality?: readonly number[] | undefined
  /** Where the scales of the BatchNorm behind these convolutions start; 1 by default. */
  localScale?: Initialiser
}

/**
 * W x + b over the token axis, the same for all channels of a share set: `[batch, tokens, dim]` to `[batch, outTokens, dim]`.
 * Throws MixlabError `option` where it is causal with other output tokens than input tokens, for sets that do not divide the
 * channels, for Toeplitz matrices in sets, and for a locality without a grid of patches, with an even kernel, or beside a
 * matrix that is Toeplitz or causal.
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
    const local = localTokens(x, options)
    if (local && (causal || structure === 'toeplitz')) {
      const what = `beside a ${causal ? 'causal' : 'Toeplitz'} matrix, which cannot take it up; expected a dense one`
      throw new MixlabError('option', 'locality', what)
    }
    const isBefore = options.tokens !== undefined
    const fans = { in: inputs, out: tokens }
    const tokenGrid = hidden ? null : (grid ?? tokenGridOf(inputs))
    const layout: Layout = { shape: [sets * tokens, inputs, 1, 1].slice(0, 2 + kernelAxes) }
    const shape = sets > 1 ? [sets, tokens, inputs] : [tokens, inputs]
    const matrix =
      structure === 'toeplitz'
        ? toeplitz(parameter('toeplitz', [2 * inputs - 1], weight, { fans, decay: true, tokenGrid }), inputs)
        : parameter('weight', shape, weight, { fans, tokenGrid, layout })
    const seen = causal ? tf.mul(matrix, triangle(inputs, 1, 0)) : matrix
    const read = local && isBefore ? tf.add(x, local) : x
    const y = sets > 1 ? productOfSets(seen, read, bias) : product(seen, read, bias)
    return local && !isBefore ? tf.add(y, local) : y
  })
}

/** One matrix for all channels. */
function product(matrix: tf.Tensor, x: tf.Tensor, bias: Initialiser | false): tf.Tensor {
  const tokens = matrix.shape[0] as number
  const y = leftProduct(matrix, x)
  return bias ? tf.add(y, tf.reshape(parameter('bias', [tokens], bias), [tokens, 1])) : y
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

/**
 * Locality injection (Ding et al. 2021, "RepMLP", and 2022, "RepMLPNet"): the sum of convolutions over the grid of patches,
 * each with zero padding and a BatchNorm behind it, `[batch, tokens, dim]` to the same. It is what a layer with a matrix over
 * tokens has beside that matrix while it trains, and what the matrix takes up afterwards (engine/weights/localityInjection.ts).
 *
 * RepMLP has a kernel and a BatchNorm for each matrix ("share set"). The token layers of ResMLP, gMLP and MLP-Mixer have one
 * matrix for all channels, so there is one kernel for all channels, and one mean, variance, scale and shift: a kernel or a
 * scale for each channel would want a matrix for each channel.
 *
 * A convolution leads from the grid to the grid. The matrix of ResMLP and of gMLP does, too, and the convolution is parallel
 * to it, as in RepMLP. The token MLP of MLP-Mixer has two matrices, from the grid to hidden units without places, and back:
 * neither has the grid on both sides, and parallel to the two of them it could not be folded, for the activation lies between.
 * What it can be parallel to is the identity before the first matrix, which reads the layer's input as in RepMLP:
 * W1 (x + conv(x)) = W1 (I + C) x. After the second matrix would fold as well, but convolve what the MLP has mixed.
 *
 * Null without kernels. Throws MixlabError `option` for kernels that are not odd and different, and for tokens that are not
 * the patches of an image.
 */
function localTokens(x: tf.Tensor, options: TokenDenseOptions): tf.Tensor | null {
  const { sets = 1, locality: kernels = [], localScale: scale } = options
  const kind = options.tokens === undefined ? 'repconv' : 'preconv'
  if (!areKernels(kernels)) {
    const what = `${JSON.stringify(kernels)}, expected a list of odd and different kernel sizes, such as [1, 3]`
    throw new MixlabError('option', 'locality', what)
  }
  if (kernels.length === 0) return null
  const tokens = x.shape[1] as number
  const grid = options.grid ?? tokenGridOf(tokens)
  if (!grid) {
    throw new MixlabError(
      'option',
      'locality',
      `${tokens} tokens that lie in no grid, expected the patches of an image`,
    )
  }
  const all = kernels.map((kernel) =>
    scope(kind, `${kind}${kernel}`, () => {
      const y = depthwiseConv2d(x, { name: 'conv', kernel, sets, grid })
      return batchNorm(tf.reshape(y, [-1, sets]), { name: 'bn', ...(scale && { weight: scale }) })
    }),
  )
  const sum = all.reduce((total, y) => tf.add(total, y))
  return tf.reshape(sum, x.shape)
}

function areKernels(given: unknown): boolean {
  if (!Array.isArray(given) || new Set(given).size !== given.length) return false
  return given.every((kernel) => Number.isInteger(kernel) && kernel > 0 && kernel % 2 === 1)
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
