import * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, normal, zeros } from '../initialisers.ts'
import { parameter, scope } from '../scope.ts'

export interface EmbeddingOptions {
  name?: string
  weight?: Initialiser
}

/** The row of a table for each id: int32 `[batch, tokens]`, 0 <= id < count, to `[batch, tokens, dim]`. */
export function embedding(ids: tf.Tensor, count: number, dim: number, options: EmbeddingOptions = {}): tf.Tensor {
  const { name, weight = normal(0.02) } = options
  return scope('embedding', name, () => tf.gather(parameter('weight', [count, dim], weight), ids as tf.Tensor2D))
}

/**
 * Logits by the product with an embedding table that the model already has: `[batch, tokens, dim]` to
 * `[batch, tokens, count]`. With `bias`, one value per row is added under that name.
 */
export function tiedLogits(x: tf.Tensor, table: string, count: number, bias?: string): tf.Tensor {
  const dim = x.shape.at(-1) ?? 1
  const rows = tf.reshape(x, [-1, dim]) as tf.Tensor2D
  const weight = parameter(table, [count, dim], normal(0.02)) as tf.Tensor as tf.Tensor2D
  const logits = tf.reshape(tf.matMul(rows, weight, false, true), [...x.shape.slice(0, -1), count])
  return bias ? tf.add(logits, parameter(bias, [count], zeros)) : logits
}
