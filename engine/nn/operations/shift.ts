import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { tokenGridOf } from '../layers/tokenGrid.ts'
import type { TokenGrid } from '../scope.ts'
import { axisOf, sliceOf } from './axis.ts'

export interface ShiftOptions {
  /** Along `tokens`, or along the `rows` or `columns` of the grid of patches; a number for an axis of any tensor. */
  axis?: 'tokens' | 'rows' | 'columns' | number
  /** Whether what leaves at one end comes in at the other, as in `torch.roll`; else zeros come in. */
  around?: boolean
  /** Rows and columns of the tokens; those of the patches of the image by default. */
  grid?: TokenGrid
}

/**
 * Token shift: moves values by so many places towards higher indices, or lower ones where `by` is negative: `[batch, tokens, dim]`, or any
 * shape with an axis by number. Parts of the channels that are moved in different directions make the shifts of S2-MLP and
 * AS-MLP. Throws MixlabError `option` for rows and columns where the tokens are no grid.
 */
export function shift(x: tf.Tensor, by: number, options: ShiftOptions = {}): tf.Tensor {
  const { axis = 'tokens', around = false, grid } = options
  if (typeof axis === 'number') return moved(x, by, axisOf('shift', x, axis), around)
  const [batch, tokens, dim] = x.shape as [number, number, number]
  if (x.rank !== 3)
    throw new MixlabError('option', 'shift', `[${x.shape}] along ${axis}, expected [batch, tokens, dim]`)
  if (axis === 'tokens') return moved(x, by, 1, around)
  const [rows, columns] = grid ?? tokenGridOf(tokens) ?? [0, 0]
  if (rows * columns !== tokens) {
    const own = grid ? `no grid of ${rows} x ${columns}` : 'no patches of an image'
    throw new MixlabError(
      'option',
      'shift',
      `${tokens} tokens are ${own}, expected grid: [rows, columns] of all tokens`,
    )
  }
  const image = tf.reshape(x, [batch, rows, columns, dim])
  return tf.reshape(moved(image, by, axis === 'rows' ? 1 : 2, around), x.shape)
}

function moved(x: tf.Tensor, by: number, axis: number, around: boolean): tf.Tensor {
  const length = x.shape[axis] as number
  if (around) {
    const places = ((by % length) + length) % length
    if (places === 0) return x
    return tf.concat([sliceOf(x, axis, length - places, places), sliceOf(x, axis, 0, length - places)], axis)
  }
  const places = Math.min(Math.abs(by), length)
  if (places === 0) return x
  if (places === length) return tf.zerosLike(x)
  const kept = sliceOf(x, axis, by > 0 ? 0 : places, length - places)
  const paddings = x.shape.map((_, i): [number, number] => (i !== axis ? [0, 0] : by > 0 ? [places, 0] : [0, places]))
  return tf.pad(kept, paddings)
}
