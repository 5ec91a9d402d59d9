import * as tf from '@tensorflow/tfjs-core'
import { memoizedTable } from '../memoizedTable.ts'

/**
 * All windows of an image as tokens: `[batch, h, w, c]` to `[batch, rows * columns, c * kernel * kernel]`, values in the
 * order channel, row, column, as torch.nn.Unfold with zero padding.
 */
export function unfold(images: tf.Tensor, kernel: number, stride: number, padding: number): tf.Tensor {
  const [batch, height, width, channels] = images.shape as [number, number, number, number]
  const sides: [number, number] = [padding, padding]
  const none: [number, number] = [0, 0]
  const padded = tf.pad(images, [none, sides, sides, none])
  const across = width + 2 * padding
  const rows = Math.floor((height + 2 * padding - kernel) / stride) + 1
  const columns = Math.floor((across - kernel) / stride) + 1
  const places = memoizedTable(`windows/${rows}/${columns}/${across}/${kernel}/${stride}`, () =>
    Int32Array.from({ length: rows * columns * kernel * kernel }, (_, at) => {
      const [window, inside] = [Math.floor(at / kernel ** 2), at % kernel ** 2]
      const y = Math.floor(window / columns) * stride + Math.floor(inside / kernel)
      return y * across + (window % columns) * stride + (inside % kernel)
    }),
  )
  const pixels = tf.reshape(padded, [batch, -1, channels])
  const windows = tf.gather(pixels, tf.tensor1d(places, 'int32'), 1) // [batch, windows * kernel^2, c]
  const ordered = tf.transpose(tf.reshape(windows, [batch, rows * columns, kernel ** 2, channels]), [0, 1, 3, 2])
  return tf.reshape(ordered, [batch, rows * columns, channels * kernel ** 2])
}
