import * as tf from '@tensorflow/tfjs-core'
import type { Mode } from './model.ts'

/** The attention weights of one example at one layer. */
export interface AttentionMap {
  /** Place of the layer, e.g. `blocks.0.attn`. */
  layer: string
  heads: number
  /** Query tokens. */
  rows: number
  /** Key tokens, or slots of a memory. */
  columns: number
  /** `[heads, rows, columns]`. */
  values: Float32Array
}

/**
 * The weights of every attention of a model for one example of a batch, in the order of the code, after softmax and before
 * dropout. `run` applies the model in the mode that it is given. Throws what `run` throws.
 */
export async function attentionMaps(run: (mode: Mode) => tf.Tensor, example = 0): Promise<AttentionMap[]> {
  const seen: { layer: string; weights: tf.Tensor }[] = []
  try {
    tf.tidy(() => {
      run({
        onAttention: (layer, weights) => {
          const at = weights.shape[0] === 1 ? 0 : example
          seen.push({ layer, weights: tf.keep(tf.slice(weights, at, 1)) })
        },
      })
    })
    return await Promise.all(
      seen.map(async ({ layer, weights }) => {
        const [, heads, rows, columns] = weights.shape as [number, number, number, number]
        return { layer, heads, rows, columns, values: (await weights.data()) as Float32Array }
      }),
    )
  } finally {
    tf.dispose(seen.map(({ weights }) => weights))
  }
}
