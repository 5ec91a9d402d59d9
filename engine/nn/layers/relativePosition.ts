import * as tf from '@tensorflow/tfjs-core'
import { normal } from '../initialisers.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { parameter, scope } from '../scope.ts'

/**
 * The T5 bucket of key - query, bidirectional (Raffel et al. 2020): half of the buckets for each direction, one per
 * distance up to a quarter of them, the rest logarithmic up to `maxDistance`. In float32 as the original.
 */
export function relativeBucket(distance: number, buckets: number, maxDistance: number): number {
  const half = Math.floor(buckets / 2)
  const exact = Math.floor(half / 2)
  const away = Math.abs(distance)
  const side = distance > 0 ? half : 0
  if (away < exact) return side + away
  const log = Math.fround(Math.log(Math.fround(away / exact)))
  const scaled = Math.fround(Math.fround(log / Math.log(maxDistance / exact)) * (half - exact))
  return side + Math.min(half - 1, exact + Math.trunc(scaled))
}

export interface RelativePositionOptions {
  name: string
  buckets: number
  maxDistance: number
}

/** A learned bias for each head and bucket of key - query: `[heads, tokens, tokens]`. */
export function relativePositionBias(tokens: number, heads: number, options: RelativePositionOptions): tf.Tensor {
  const { name, buckets, maxDistance } = options
  return scope('relative_attention_bias', name, () => {
    const table = parameter('weight', [buckets, heads], normal(0.02), { decay: false })
    const places = memoizedTable(`buckets/${tokens}/${buckets}/${maxDistance}`, () =>
      Int32Array.from({ length: tokens * tokens }, (_, at) =>
        relativeBucket((at % tokens) - Math.floor(at / tokens), buckets, maxDistance),
      ),
    )
    const rows = tf.gather(table, tf.tensor1d(places, 'int32')) // [tokens * tokens, heads]
    return tf.transpose(tf.reshape(rows, [tokens, tokens, heads]), [2, 0, 1])
  })
}
