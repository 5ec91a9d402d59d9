import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import type { ImageRecipe } from './options.ts'
import { type Picture, pictureChange } from './picture.ts'

/** Left and right exchanged, with this probability. */
export function randomFlip(image: Picture, probability: number, draws: AugmentDraws): Picture {
  if (!draws.chance(probability)) return image
  const { pixels, width, channels } = image
  const flipped = new Float32Array(pixels.length)
  for (let at = 0; at < pixels.length; at += channels) {
    const x = (at / channels) % width
    flipped.set(pixels.subarray(at, at + channels), at + (width - 1 - 2 * x) * channels)
  }
  return { ...image, pixels: flipped }
}

/** `augment.flip` */
export function flipped({ augment }: ImageRecipe): Augmentation | null {
  const probability = augment?.flip ?? 0
  return probability > 0 ? pictureChange('flip', 'flip', (image, draws) => randomFlip(image, probability, draws)) : null
}
