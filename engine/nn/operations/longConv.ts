import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { memoizedTable } from '../memoizedTable.ts'

/**
 * A long convolution, over all tokens, each channel by its own filter: y_i = sum over j of filter[i - j] x_j, of
 * `[batch, tokens, dim]` in the same shape, as in Hyena (Poli et al. 2023) and S4. A filter `[tokens, dim]` is causal: its
 * first row is for the token itself. One of `[2 tokens - 1, dim]` looks both ways: its first row is for the last token as
 * seen from the first. Channels are products with Toeplitz matrices, which take dim * tokens^2 values of memory. Throws
 * MixlabError `option` for a filter of another shape.
 */
export function longConv(x: tf.Tensor, filter: tf.Tensor): tf.Tensor {
  const [, tokens, dim] = x.shape as [number, number, number]
  const [rows, columns] = filter.shape as [number, number]
  const causal = rows === tokens
  if ((!causal && rows !== 2 * tokens - 1) || columns !== dim) {
    const allowed = `[${tokens},${dim}] or [${2 * tokens - 1},${dim}]`
    throw new MixlabError('option', 'longConv', `filter [${filter.shape}] for [${x.shape}], expected ${allowed}`)
  }
  const both = causal
    ? tf.pad(filter, [
        [tokens - 1, 0],
        [0, 0],
      ])
    : filter
  const places = tf.tensor2d(differences(tokens), [tokens, tokens], 'int32')
  const matrices = tf.transpose(tf.gather(both, places, 0), [2, 0, 1]) // [dim, tokens, tokens]
  return tf.transpose(tf.matMul(matrices, tf.transpose(x, [2, 1, 0])), [2, 1, 0])
}

/** i - j + n - 1 for row i and column j of an n x n matrix. */
function differences(n: number): Int32Array {
  return memoizedTable(`differences/${n}`, () =>
    Int32Array.from({ length: n * n }, (_, at) => Math.floor(at / n) - (at % n) + n - 1),
  )
}
