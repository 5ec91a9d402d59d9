import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { differentiable } from '../differentiable.ts'
import { overGrid } from '../layers/tokenGrid.ts'
import { memoizedTable } from '../memoizedTable.ts'
import type { TokenGrid } from '../scope.ts'
import { gradientByInput, type Pads, type Pair, padOfTfjs, pairOf, samePads } from './convolve.ts'

export interface PoolOptions {
  /** Of windows, of rows and of columns, where they differ; 3 by default. */
  kernel?: number | [number, number]
  /** From window to window; 1 by default. */
  stride?: number | [number, number]
  /** `same` has windows that reach over the border, and see less there; `valid` has none. */
  padding?: 'same' | 'valid'
  /** How tokens lie, where they are not the patches of the image. */
  grid?: TokenGrid
}

/**
 * The mean of each window, of what lies inside of the image (as PyTorch with `count_include_pad=False`): `[batch, h, w, dim]`
 * to `[batch, h / stride, w / stride, dim]`, or the same of tokens, `[batch, tokens, dim]`: of patches of an image in their
 * grid, of others along the tokens. Throws MixlabError `option` for an image smaller than a window without padding.
 */
export const avgPool = (x: tf.Tensor, options: PoolOptions = {}): tf.Tensor => pool('avgPool', x, options, mean)

/** The largest of each window and channel; shapes and errors as of `avgPool`. */
export const maxPool = (x: tf.Tensor, options: PoolOptions = {}): tf.Tensor =>
  pool('maxPool', x, options, (image, { size, stride, pads }) =>
    tf.maxPool(image as tf.Tensor4D, size, stride, padOfTfjs(pads, size, stride)),
  )

interface PoolWindows {
  size: Pair
  stride: Pair
  pads: Pads
}

function pool(
  operation: string,
  x: tf.Tensor,
  { kernel = 3, stride = 1, padding = 'same', grid }: PoolOptions,
  run: (image: tf.Tensor, windows: PoolWindows) => tf.Tensor,
): tf.Tensor {
  const over = (image: tf.Tensor) => {
    const [, height, width] = image.shape as [number, number, number]
    const inRow = x.rank === 3 && height === 1 // such tokens have no rows to look over
    const [size, steps] = [kernel, stride].map((given): Pair => {
      const [rows, columns] = pairOf(given)
      return [inRow ? 1 : rows, columns]
    }) as [Pair, Pair]
    if (padding === 'valid' && (size[0] > height || size[1] > width)) {
      const what = `windows of ${size[0]} x ${size[1]} in an image of ${height} x ${width}, expected padding 'same'`
      throw new MixlabError('option', operation, what)
    }
    const pads = size.map((seen): Pair => (padding === 'same' ? samePads(seen) : [0, 0])) as Pads
    return run(image, { size, stride: steps, pads })
  }
  return overGrid(operation, x, over, grid, (tokens) => [1, tokens])
}

/** The gradient is that of the same mean as a convolution by ones: tfjs has it wrong at borders. */
function mean(image: tf.Tensor, { size, stride, pads }: PoolWindows): tf.Tensor {
  const [, height, width, channels] = image.shape as [number, number, number, number]
  const pad = padOfTfjs(pads, size, stride)
  return differentiable(
    (x: tf.Tensor) => ({ value: tf.avgPool(x as tf.Tensor4D, size, stride, pad), saved: [] }),
    (dy) => {
      const [, rows, columns] = dy.shape as [number, number, number]
      const shares = memoizedTable(`shares/${[height, width, size, stride, pads].flat(3)}`, () => {
        const across = inside(columns, width, size[1], stride[1], pads[1][0])
        const down = inside(rows, height, size[0], stride[0], pads[0][0])
        return Float32Array.from(down.flatMap((high) => across.map((wide) => 1 / (high * wide))))
      })
      const each = tf.mul(dy, tf.tensor3d(shares, [rows, columns, 1]))
      return gradientByInput(each, tf.ones([...size, channels, 1]), image.shape, { strides: stride, pad })
    },
  )(image)
}

/** How many values of an axis each of `count` windows has inside of it. */
function inside(count: number, length: number, size: number, stride: number, before: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const first = i * stride - before
    return Math.min(length, first + size) - Math.max(0, first)
  })
}
