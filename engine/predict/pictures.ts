import * as tf from '@tensorflow/tfjs-core'
import { withChannels } from '../data/images/decode.ts'
import { type Image, resizeAndCrop } from '../data/images/resize.ts'
import { assemble } from '../nn/frame.ts'
import { createModel } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import type { Recognised } from '../weights/files/recognise.ts'
import { loadTensors } from '../weights/model.ts'
import type { NamedTensor } from '../weights/safetensors.ts'

/** What a model says of pictures. */
export interface PicturePredictor {
  /** The probability of each class, for a picture of any size: its shorter side is resized, the centre cut out. */
  probabilities(picture: Image): Promise<Float32Array>
  dispose(): void
}

/** A model of pictures with the weights of a file, on the current backend. Throws MixlabError `weights` where these do not fit. */
export function picturePredictor(tensors: NamedTensor[], known: Recognised, source: string): PicturePredictor {
  const { block, input, classes, mean, deviation } = known
  const [height, width, channels] = input
  const forward = assemble(block, resolveSize(block, {}, source), 'image', { outputs: classes })
  const model = createModel(forward, { shape: [1, height, width, channels] }, 0)
  const own = new Set(model.parameters.map(({ name }) => name))
  try {
    loadTensors(
      model.parameters,
      tensors.filter(({ name }) => own.has(name)),
      source,
    )
  } catch (error) {
    model.dispose()
    throw error
  }
  return {
    probabilities: async (picture) => {
      const { pixels } = resizeAndCrop(withChannels(picture, channels === 1 ? 1 : 3), height)
      const values = Float32Array.from(pixels, (value, i) => {
        return (value / 255 - (mean[i % channels] ?? 0)) / (deviation[i % channels] ?? 1)
      })
      const found = tf.tidy(() => tf.softmax(model.apply(tf.tensor(values, [1, height, width, channels]))))
      try {
        return (await found.data()) as Float32Array
      } finally {
        found.dispose()
      }
    },
    dispose: () => model.dispose(),
  }
}

/** The most probable classes, most probable first. */
export function topOf(probabilities: Float32Array, count: number): { label: number; probability: number }[] {
  const all = Array.from(probabilities, (probability, label) => ({ label, probability }))
  return all.sort((a, b) => b.probability - a.probability).slice(0, count)
}
