import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { triangle } from '../operations/triangle.ts'
import { split } from '../ops.ts'
import { currentPass, scope, showAttention, withoutAblated } from '../scope.ts'
import { type DenseOptions, dense } from './dense.ts'
import { type DropoutRates, dropout } from './dropout.ts'

/** Added to the score of a key that is padding or comes too late; its weight rounds to 0. */
const MASKED_SCORE = -1e9

/** Splits channels among attention heads: `[batch, tokens, dim]` to `[batch, heads, tokens, dim / heads]`. */
export function splitHeads(x: tf.Tensor, heads: number): tf.Tensor {
  const [batch, tokens, dim] = x.shape as [number, number, number]
  if (dim % heads) throw new MixlabError('option', 'splitHeads', `${dim} channels do not split into ${heads} heads`)
  return tf.transpose(tf.reshape(x, [batch, tokens, heads, dim / heads]), [0, 2, 1, 3])
}

/** `[batch, heads, tokens, width]` to `[batch, tokens, heads * width]`. */
export function joinHeads(x: tf.Tensor): tf.Tensor {
  const [batch, heads, tokens, width] = x.shape as [number, number, number, number]
  return tf.reshape(tf.transpose(x, [0, 2, 1, 3]), [batch, tokens, heads * width])
}

export interface AttendOptions {
  heads?: number
  /** Added to the scores of each head after scaling, `[heads, tokens, tokens]`. */
  bias?: tf.Tensor | undefined
  /** Rate of dropout of the weights. */
  dropout?: number | undefined
  /** Whether a query gives no weight to keys after it. */
  causal?: boolean
}

/**
 * softmax(q k^T / sqrt(width) + bias) v for each head; q, k, v `[batch, tokens, dim]`. Padded keys of a text get no
 * weight. Without q and k the weights are softmax(bias) alone.
 */
export function attend(qk: [tf.Tensor, tf.Tensor] | null, v: tf.Tensor, options: AttendOptions = {}): tf.Tensor {
  const { heads = 1, bias, dropout: rate, causal = false } = options
  const { mask } = currentPass('attend')
  const [batch, tokens, dim] = v.shape as [number, number, number]
  // where no gradient needs the scores, as when a model is made, they are gone before the next layer
  return tf.tidy(() => {
    let scores = bias ? tf.expandDims(bias, 0) : null // [1, heads, tokens, tokens]
    if (qk) {
      const [q, k] = qk.map((x) => splitHeads(x, heads)) as [tf.Tensor, tf.Tensor]
      const width = q.shape.at(-1) ?? 1
      const content = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(width)) // [batch, heads, tokens, tokens]
      scores = scores ? tf.add(content, scores) : content
    }
    if (!scores) scores = tf.zeros([1, heads, tokens, tokens])
    if (causal) scores = tf.add(scores, triangle(tokens, 0, MASKED_SCORE))
    if (mask) scores = tf.add(scores, tf.reshape(tf.mul(tf.sub(1, mask), MASKED_SCORE), [batch, 1, 1, tokens]))
    const weights = tf.softmax(scores)
    showAttention(() => weights)
    // without content all samples share their weights; tfjs has no gradient for a product that is broadcast
    const whole = weights.shape[0] === batch ? weights : tf.tile(weights, [batch, 1, 1, 1])
    const attended = withoutAblated(tf.matMul(dropout(whole, rate), splitHeads(v, heads)))
    return tf.reshape(joinHeads(attended), [batch, tokens, dim])
  })
}

export interface SelfAttentionOptions {
  name?: string
  heads?: number
  weight?: DenseOptions['weight']
  qkvBias?: boolean
  dropout?: Partial<DropoutRates>
  /** Whether a token attends to none after it. */
  causal?: boolean
}

/** Multi-head self-attention with one projection to q, k, v: `[batch, tokens, dim]` (Vaswani et al. 2017, as in timm). */
export function selfAttention(x: tf.Tensor, options: SelfAttentionOptions = {}): tf.Tensor {
  const { name, heads = 1, qkvBias = true, weight, dropout: rates = {}, causal = false } = options
  const initial = weight ? { weight } : {}
  const dim = x.shape.at(-1) ?? 1
  return scope('attn', name, () => {
    const [q, k, v] = split(dense(x, 3 * dim, { name: 'qkv', ...initial, ...(qkvBias ? {} : { bias: false }) }), 3)
    const attended = attend([q, k], v, { heads, dropout: rates.attention, causal })
    return dropout(dense(attended, dim, { name: 'proj', ...initial }), rates.hidden)
  })
}

export interface TinyAttentionOptions {
  name?: string
  /** Whether the projection to q, k, v has a bias; the paper leaves it open. */
  qkvBias?: boolean
  dropout?: Partial<DropoutRates>
  /** Whether a token attends to none after it. */
  causal?: boolean
}

/**
 * Single-head attention of width `size` and its projection to `units` channels: `[batch, tokens, dim]` to
 * `[batch, tokens, units]` ("Pay Attention to MLPs", figure 6).
 */
export function tinyAttention(
  x: tf.Tensor,
  size: number,
  units: number,
  options: TinyAttentionOptions = {},
): tf.Tensor {
  const { name, qkvBias = true, dropout: rates = {}, causal = false } = options
  return scope('tiny_attn', name, () => {
    const [q, k, v] = split(dense(x, 3 * size, { name: 'qkv', ...(qkvBias ? {} : { bias: false }) }), 3)
    return dense(attend([q, k], v, { dropout: rates.attention, causal }), units, { name: 'out' })
  })
}
