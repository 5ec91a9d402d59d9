import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock } from '../gradient.ts'
import { bilinear, nearest, type Resized, type Shares } from '../resizeShares.ts'

/** By products with the shares, where that of tfjs is wrong. */
function resize(
  kernelName: string,
  shares: Shares,
  isRight: (images: tf.Tensor4D, options: Resized) => boolean,
): Gradient {
  const ofTfjs = stock(kernelName)
  return {
    ...ofTfjs,
    gradFunc: (dy, saved, attributes) => {
      const [images] = saved as [tf.Tensor4D]
      const options = attributes as unknown as Resized
      if (isRight(images, options)) return ofTfjs.gradFunc(dy, saved, attributes)
      const [batch, height, width, channels] = images.shape
      const [, rows, columns] = (dy as tf.Tensor4D).shape
      const matrix = (out: number, length: number) => tf.tensor(shares(out, length, options), [1, out, length])
      return {
        images: () => {
          const lines = tf.reshape(dy as tf.Tensor, [batch, rows, columns * channels])
          const upright = tf.matMul(matrix(rows, height), lines, true)
          const across = tf.reshape(upright, [batch * height, columns, channels])
          return tf.reshape(tf.matMul(matrix(columns, width), across, true), images.shape)
        },
      }
    },
  }
}

/** Pictures of another size. */
export const resized = (): Gradient[] => [
  resize('ResizeBilinear', bilinear, ({ shape }, { halfPixelCenters }) => shape[1] === shape[2] && !halfPixelCenters),
  resize('ResizeNearestNeighbor', nearest, (_, { halfPixelCenters }) => !halfPixelCenters),
]
