import * as tf from '@tensorflow/tfjs-core'
import { withChannels } from '../data/images/decode.ts'
import { type Image, resizedCentre, sizeToCover } from '../data/images/resize.ts'
import type { Preparation } from '../tasks/types.ts'

export type PicturePreparation = Extract<Preparation, { kind: 'image' }>

/**
 * A picture as a model sees it: one of its size as it is, any other resized to cover its input, and its centre cut out,
 * unless it is squashed.
 */
export function preprocess(
  picture: Image,
  { size: [height, width], channels, crop = 1, squash }: PicturePreparation,
): Image {
  const own = withChannels(picture, channels === 1 ? 1 : 3)
  if (own.height === height && own.width === width) return own
  const [high, wide] = [height, width].map((side) => Math.floor(side / crop)) as [number, number]
  return resizedCentre(own, squash ? [high, wide] : sizeToCover(own, high, wide), height, width)
}

/** What a model reads, `[1, height, width, channels]`, for a picture of the right size. */
export function pictureInput({ pixels, height, width }: Image, preparation: PicturePreparation): tf.Tensor {
  const { mean, deviation, channels } = preparation
  const values = Float32Array.from(pixels, (value, i) => {
    return (Math.fround(value / 255) - (mean[i % channels] ?? 0)) / (deviation[i % channels] ?? 1)
  })
  return tf.tensor(values, [1, height, width, channels])
}
