import * as tf from '@tensorflow/tfjs-core'
import type { MixingWeights, Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'
import { checkMixing } from './mixingSparsity.ts'

/**
 * How far tokens reach: the mean distance of the tokens that the mixing matrices connect, each weighed by the absolute
 * value of its weight, in patches, or in tokens where these are no patches: `readout/mixing_distance`. Of matrices
 * `[tokens, tokens]` alone.
 */
export function mixingLocality(): Readout {
  const meaning = { unit: 'tokens', words: 'distance of mixed tokens' }
  return builtIn('mixing_distance', { ...meaning, bounds: [0, Infinity] }, ({ mixing }) => {
    const square = mixing.filter(({ matrix: { shape } }) => shape[0] === shape[1])
    checkMixing(square)
    const sums = square.map(({ matrix, grid }) => {
      const size = tf.abs(matrix)
      return [tf.sum(tf.mul(size, distances(matrix.shape[0] ?? 0, grid))), tf.sum(size)] as const
    })
    return tf.div(tf.addN(sums.map(([far]) => far)), tf.addN(sums.map(([, all]) => all)))
  })
}

/** Between the centres of every two tokens, `[tokens, tokens]`. */
function distances(tokens: number, grid: MixingWeights['grid']): tf.Tensor {
  const columns = grid && grid[0] * grid[1] === tokens ? grid[1] : tokens
  const place = (token: number) => [Math.floor(token / columns), token % columns] as const
  const between = (at: number) => {
    const [[row, column], [otherRow, otherColumn]] = [place(Math.floor(at / tokens)), place(at % tokens)]
    return Math.hypot(row - otherRow, column - otherColumn)
  }
  return tf.tensor(
    Float32Array.from({ length: tokens * tokens }, (_, at) => between(at)),
    [tokens, tokens],
  )
}
