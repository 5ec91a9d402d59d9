import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { currentPass, type TokenGrid } from '../scope.ts'

/** How so many tokens lie in the image; null where they are not its patches. */
export function tokenGridOf(tokens: number): TokenGrid | null {
  const { grid } = currentPass('tokens')
  return grid && grid[0] * grid[1] === tokens ? grid : null
}

/**
 * What `run` gives of an image, `[batch, h, w, channels]`: x itself, or tokens `[batch, tokens, dim]` in their grid, row by
 * row, of which the result has tokens again. The grid is `given`, or that of the patches of the image, or `otherwise` what
 * follows from the tokens. Throws MixlabError `option` for tokens that have no grid, or another one.
 */
export function overGrid(
  operation: string,
  x: tf.Tensor,
  run: (image: tf.Tensor) => tf.Tensor,
  given?: TokenGrid,
  otherwise: (tokens: number) => TokenGrid = (tokens) => {
    throw new MixlabError('option', operation, `${tokens} tokens are not the patches of an image, expected option grid`)
  },
): tf.Tensor {
  if (x.rank === 4) return run(x)
  const [batch, tokens, dim] = x.shape as [number, number, number]
  const [rows, columns] = given ?? tokenGridOf(tokens) ?? otherwise(tokens)
  if (rows * columns !== tokens) {
    throw new MixlabError('option', operation, `${tokens} tokens in a grid of ${rows} x ${columns}`)
  }
  const y = run(tf.reshape(x, [batch, rows, columns, dim]))
  return tf.reshape(y, [batch, -1, y.shape.at(-1) as number])
}

/** `[batch, rows, columns, dim]` to `[batch, tokens, dim]`, row by row, and from now on they lie so; others as they are. */
export function flattened(x: tf.Tensor): tf.Tensor {
  if (x.rank !== 4) return x
  const [batch, rows, columns, dim] = x.shape as [number, number, number, number]
  currentPass('tokens').grid = [rows, columns]
  return tf.reshape(x, [batch, rows * columns, dim])
}
