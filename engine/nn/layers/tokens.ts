import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, normal } from '../initialisers.ts'
import { memoizedTable } from '../memoizedTable.ts'
import { currentPass, parameter } from '../scope.ts'

/** A learned token in front of the others: `[batch, tokens, dim]` to `[batch, tokens + 1, dim]`. */
export function prependToken(x: tf.Tensor, name: string, weight: Initialiser = normal(0.02)): tf.Tensor {
  const [batch, , dim] = x.shape as [number, number, number]
  const token = parameter(name, [1, 1, dim], weight, { decay: false })
  return tf.concat([tf.mul(token, tf.ones([batch, 1, 1])), x], 1)
}

/** Learned positions added to the tokens: `[batch, tokens, dim]`. */
export function addPositions(x: tf.Tensor, name: string, weight: Initialiser = normal(0.02)): tf.Tensor {
  const [, tokens, dim] = x.shape as [number, number, number]
  return tf.add(x, parameter(name, [1, tokens, dim], weight, { decay: false }))
}

/** The first token: `[batch, tokens, dim]` to `[batch, dim]`. */
export function firstToken(x: tf.Tensor): tf.Tensor {
  const [batch, , dim] = x.shape as [number, number, number]
  return tf.reshape(tf.slice(x, [0, 0, 0], [batch, 1, dim]), [batch, dim])
}

/** The tokens at `positions`, int32 `[batch, places]`: `[batch, tokens, dim]` to `[batch, places, dim]`. */
export function tokensAt(x: tf.Tensor, positions: tf.Tensor): tf.Tensor {
  const chosen = tf.oneHot(positions as tf.Tensor2D, x.shape[1] as number, 1, 0, 'float32') // [batch, places, tokens]
  return tf.matMul(chosen, x)
}

/** The mean over the tokens, without padding: `[batch, tokens, dim]` to `[batch, dim]`. */
export function meanToken(x: tf.Tensor): tf.Tensor {
  const { mask } = currentPass('meanToken')
  if (!mask) return tf.mean(x, 1)
  const shares = tf.div(mask, tf.sum(mask, 1, true)) // [batch, tokens]
  return tf.sum(tf.mul(x, tf.expandDims(shares, -1)), 1)
}

/**
 * A learned table of positions for a grid of patches, bilinearly resized to another grid with half-pixel centres:
 * `[1, rows * columns, dim]`. In files `[1, dim, rows, columns]` of the table.
 */
export function resizedPositions(
  name: string,
  [rows, columns]: [number, number],
  target: [number, number],
  dim: number,
  weight: Initialiser,
): tf.Tensor {
  const layout = { view: [rows, columns, dim], order: [2, 0, 1], shape: [1, dim, rows, columns] }
  const table = parameter(name, [rows * columns, dim], weight, { layout, decay: false }) as tf.Tensor as tf.Tensor2D
  const same = rows === target[0] && columns === target[1]
  return tf.expandDims(same ? table : tf.matMul(bilinear([rows, columns], target), table), 0)
}

/** The matrix that resizes a grid, row by row: `[target rows * columns, rows * columns]`. */
function bilinear(grid: [number, number], target: [number, number]): tf.Tensor2D {
  const [places, sources] = [target[0] * target[1], grid[0] * grid[1]]
  const values = memoizedTable(`bilinear/${grid}/${target}`, () => {
    const [down, across] = [0, 1].map((axis) => weights1d(grid[axis] as number, target[axis] as number))
    return Float32Array.from({ length: places * sources }, (_, at) => {
      const [to, from] = [Math.floor(at / sources), at % sources]
      const row = down?.[Math.floor(to / target[1])]?.[Math.floor(from / grid[1])] ?? 0
      return row * (across?.[to % target[1]]?.[from % grid[1]] ?? 0)
    })
  })
  return tf.tensor2d(values, [places, sources])
}

/** For each of `target` places the weight of each of `length` sources. */
function weights1d(length: number, target: number): number[][] {
  return Array.from({ length: target }, (_, i) => {
    const centre = Math.min(Math.max(((i + 0.5) * length) / target - 0.5, 0), length - 1)
    return Array.from({ length }, (_, source) => Math.max(0, 1 - Math.abs(source - centre)))
  })
}

/** The first `tokens` rows of a learned table of `rows` positions: `[1, tokens, dim]`. */
export function firstRows(name: string, tokens: number, rows: number, dim: number, weight: Initialiser): tf.Tensor {
  if (tokens > rows) throw new MixlabError('option', name, `${tokens} tokens, the table has ${rows} positions`)
  const table = parameter(name, [rows, dim], weight, { decay: false })
  return tf.expandDims(tf.slice(table as tf.Tensor as tf.Tensor2D, [0, 0], [tokens, dim]), 0)
}
