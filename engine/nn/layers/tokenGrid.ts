import * as tf from '@tensorflow/tfjs-core'
import { currentPass, type TokenGrid } from '../scope.ts'

/** How so many tokens lie in the image; null where they are not its patches. */
export function tokenGridOf(tokens: number): TokenGrid | null {
  const { grid } = currentPass('tokens')
  return grid && grid[0] * grid[1] === tokens ? grid : null
}

/** `[batch, rows, columns, dim]` to `[batch, tokens, dim]`, row by row, and from now on they lie so; others as they are. */
export function flattened(x: tf.Tensor): tf.Tensor {
  if (x.rank !== 4) return x
  const [batch, rows, columns, dim] = x.shape as [number, number, number, number]
  currentPass('tokens').grid = [rows, columns]
  return tf.reshape(x, [batch, rows * columns, dim])
}
