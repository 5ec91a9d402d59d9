import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Patch, sidesOf } from '../layers/patchEmbed.ts'
import { tokenGridOf } from '../layers/tokenGrid.ts'
import type { TokenGrid } from '../scope.ts'

export interface WindowsOptions {
  /** Rows and columns of the tokens; those of the patches of the image by default. */
  grid?: TokenGrid
}

/**
 * Windows without overlap, as in Swin (Liu et al. 2021, section 3.2): what `run` gives of the tokens of each window by
 * themselves, row by row, `[batch * windows, tokens of one, dim]`, put back in place: `[batch, tokens, dim]` to the same, or to
 * another width. Throws MixlabError `option` for a grid that does not divide into windows, and for other tokens from `run`.
 */
export function windows(
  x: tf.Tensor,
  size: Patch,
  run: (tokens: tf.Tensor) => tf.Tensor,
  { grid }: WindowsOptions = {},
): tf.Tensor {
  const [, tokens, dim] = x.shape as [number, number, number]
  const [high, wide] = sidesOf(size)
  const [rows, columns] = grid ?? tokenGridOf(tokens) ?? [0, 0]
  const fail = (what: string) => new MixlabError('option', 'windows', what)
  if (rows * columns !== tokens) {
    const own = grid ? `no grid of ${rows} x ${columns}` : 'no patches of an image'
    throw fail(`${tokens} tokens are ${own}, expected grid: [rows, columns] of all tokens`)
  }
  const fits = rows % high === 0 && columns % wide === 0 && high > 0 && wide > 0
  if (!fits) throw fail(`${rows} x ${columns} tokens do not divide into ${high} x ${wide}`)
  const [down, across] = [rows / high, columns / wide]
  const apart = tf.transpose(tf.reshape(x, [-1, down, high, across, wide, dim]), SWAPPED)
  const y = run(tf.reshape(apart, [-1, high * wide, dim]))
  if (!(y instanceof tf.Tensor) || y.rank !== 3 || y.shape[1] !== high * wide) {
    const given = y instanceof tf.Tensor ? `[${y.shape}]` : 'no tensor'
    throw fail(`${given} of windows, expected [windows, ${high * wide}, dim]`)
  }
  const width = y.shape[2] as number
  return tf.reshape(tf.transpose(tf.reshape(y, [-1, down, across, high, wide, width]), SWAPPED), [-1, tokens, width])
}

/** Rows of windows and rows within them, side by side, in turn. */
const SWAPPED = [0, 1, 3, 2, 4, 5]
