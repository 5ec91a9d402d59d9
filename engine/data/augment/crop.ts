import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import type { ImageRecipe } from './options.ts'
import { type Picture, pictureChange } from './picture.ts'

/** A crop of the original size at a uniform place of the image with `padding` black pixels around it (He et al. 2016). */
export function randomCrop(image: Picture, padding: number, draws: AugmentDraws): Picture {
  const { pixels, height, width, channels } = image
  const [down, right] = [draws.below(2 * padding + 1) - padding, draws.below(2 * padding + 1) - padding]
  const cropped = new Float32Array(pixels.length)
  const [from, to] = [Math.max(0, right), Math.min(width, width + right)]
  for (let y = Math.max(0, -down); y < Math.min(height, height - down); y++) {
    const row = (y + down) * width
    if (from < to) {
      cropped.set(
        pixels.subarray((row + from) * channels, (row + to) * channels),
        (y * width + from - right) * channels,
      )
    }
  }
  return { ...image, pixels: cropped }
}

/** `augment.crop` */
export function cropped({ augment }: ImageRecipe): Augmentation | null {
  const padding = augment?.crop ?? 0
  return padding > 0 ? pictureChange('crop', 'crop', (image, draws) => randomCrop(image, padding, draws)) : null
}
