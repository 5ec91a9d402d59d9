import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock } from '../gradient.ts'

type Resized = Record<'alignCorners' | 'halfPixelCenters', boolean>

/** The shares `[out, in]` of the entries of one axis in those of the resized one. */
type Shares = (out: number, length: number, options: Resized) => Float32Array

/** Where an entry of the resized axis lies on the axis. */
function place(i: number, out: number, length: number, { alignCorners, halfPixelCenters }: Resized): number {
  const scale = alignCorners && out > 1 ? (length - 1) / (out - 1) : length / out
  return halfPixelCenters ? (i + 0.5) * scale - 0.5 : i * scale
}

const bilinear: Shares = (out, length, options) => {
  const shares = new Float32Array(out * length)
  for (let i = 0; i < out; i++) {
    const at = place(i, out, length, options)
    const below = Math.max(0, Math.floor(at))
    const above = Math.min(length - 1, Math.ceil(at))
    const share = at - Math.floor(at)
    shares[i * length + below] = (shares[i * length + below] as number) + 1 - share
    shares[i * length + above] = (shares[i * length + above] as number) + share
  }
  return shares
}

const nearest: Shares = (out, length, options) => {
  const shares = new Float32Array(out * length)
  for (let i = 0; i < out; i++) {
    const { alignCorners, halfPixelCenters } = options
    const at = halfPixelCenters ? place(i, out, length, options) + 0.5 : place(i, out, length, options)
    const whole = alignCorners ? Math.round(at) : Math.floor(at)
    shares[i * length + Math.min(length - 1, Math.max(0, whole))] = 1
  }
  return shares
}

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
