import * as tf from '@tensorflow/tfjs-core'
import { withChannels } from '../data/images/decode.ts'
import { type Image, resizeAndCrop } from '../data/images/resize.ts'
import type { Preparation } from '../tasks/types.ts'

export type PicturePreparation = Extract<Preparation, { kind: 'image' }>

/** A picture of any size as a model sees it: resized to cover its input, and its centre cut out. */
export function seenBy(picture: Image, { size: [height, width], channels }: PicturePreparation): Image {
  return resizeAndCrop(withChannels(picture, channels === 1 ? 1 : 3), height, width)
}

/** What a model reads, `[1, height, width, channels]`, for a picture of the right size. */
export function pictureInput({ pixels, height, width }: Image, preparation: PicturePreparation): tf.Tensor {
  const { mean, deviation, channels } = preparation
  const values = Float32Array.from(pixels, (value, i) => {
    return (Math.fround(value / 255) - (mean[i % channels] ?? 0)) / (deviation[i % channels] ?? 1)
  })
  return tf.tensor(values, [1, height, width, channels])
}
