import * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import { scope, showAttention, withoutAblated } from '../scope.ts'
import { joinHeads, splitHeads } from './attention.ts'
import { type DenseOptions, dense } from './dense.ts'
import { type DropoutRates, dropout } from './dropout.ts'

export interface ExternalAttentionOptions {
  name?: string
  /** Size of the memory. */
  slots?: number
  /** Biases of the two memories, keys and values. */
  bias?: [boolean, boolean]
  weight?: Initialiser
  /** As of a dense layer. */
  kernelAxes?: NonNullable<DenseOptions['kernelAxes']>
  dropout?: Partial<DropoutRates>
}

/**
 * External attention: A = norm(x M_k^T), result A M_v, with memories M_k and M_v of `slots` rows that all samples share:
 * `[..., tokens, dim]` to the same (Guo et al. 2021). `norm` is a softmax over tokens, then division by the sum over
 * slots, in this order as in the authors' code.
 */
export function externalAttention(x: tf.Tensor, options: ExternalAttentionOptions = {}): tf.Tensor {
  const { name, slots = 64, bias = [false, false], weight = xavierUniform, kernelAxes = 0, dropout: rates } = options
  const dim = x.shape.at(-1) ?? 1
  return scope('ea', name, () => {
    const scores = dense(x, slots, { name: 'linear_0', weight, bias: bias[0] && zeros, kernelAxes }) // [..., tokens, slots]
    const weights = doubleNormalize(scores)
    showAttention(() => (weights.rank === 3 ? tf.expandDims(weights, 1) : weights))
    const read = { name: 'linear_1', weight, bias: bias[1] && zeros, kernelAxes } as const
    return withoutAblated(dense(dropout(weights, rates?.attention), dim, read))
  })
}

/** Softmax over tokens, then division by the sum over slots: `[..., tokens, slots]`. */
function doubleNormalize(scores: tf.Tensor): tf.Tensor {
  const last = scores.rank - 1
  const swapped = [...Array(last - 1).keys(), last, last - 1]
  const weights = tf.softmax(tf.transpose(scores, swapped)) // [..., slots, tokens]
  return tf.transpose(tf.div(weights, tf.add(tf.sum(weights, -2, true), 1e-9)), swapped)
}

export interface MultiHeadExternalAttentionOptions extends ExternalAttentionOptions {
  heads: number
  /** How much wider the heads are together than x: 4 in the authors' code, not in the paper. */
  widen?: number
}

/** External attention by several heads that share their memories: `[batch, tokens, dim]` (as in the authors' EAMLP). */
export function multiHeadExternalAttention(x: tf.Tensor, options: MultiHeadExternalAttentionOptions): tf.Tensor {
  const { name, heads, widen = 4, slots = 64, weight = xavierUniform, dropout: rates = {} } = options
  const dim = x.shape.at(-1) ?? 1
  return scope('attn', name, () => {
    const wide = splitHeads(dense(x, widen * dim, { name: 'trans_dims', weight }), widen * heads)
    const attended = externalAttention(wide, { name: '', slots, weight, bias: [true, true], dropout: rates })
    return dropout(dense(joinHeads(attended), dim, { name: 'proj', weight }), rates.hidden)
  })
}
