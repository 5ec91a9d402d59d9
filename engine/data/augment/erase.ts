import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import type { ImageRecipe } from './options.ts'
import { IMAGENET, type Picture, pictureChange } from './picture.ts'

const AREA = { least: 0.02, most: 1 / 3 }
const ASPECT = Math.log(0.3) // to 1 / 0.3
const ATTEMPTS = 10

/**
 * With this probability, a rectangle replaced by noise (Zhong et al. 2020), mode `pixel` of timm: standard normal values
 * in the normalized image, here moved back by ImageNet's mean and deviation and clipped to 0..1.
 */
export function randomErase(image: Picture, probability: number, draws: AugmentDraws): Picture {
  if (!draws.chance(probability)) return image
  const { height, width, channels } = image
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const area = draws.between(AREA.least, AREA.most) * height * width
    const aspect = Math.exp(draws.between(ASPECT, -ASPECT))
    const [h, w] = [Math.round(Math.sqrt(area * aspect)), Math.round(Math.sqrt(area / aspect))]
    if (h >= height || w >= width) continue
    const [top, left] = [draws.below(height - h + 1), draws.below(width - w + 1)]
    const pixels = image.pixels.slice()
    for (let y = top; y < top + h; y++) {
      for (let at = (y * width + left) * channels; at < (y * width + left + w) * channels; at++) {
        pixels[at] = Math.min(Math.max(IMAGENET.mean + IMAGENET.deviation * draws.normal(), 0), 1)
      }
    }
    return { ...image, pixels }
  }
  return image
}

/** `augment.erase` */
export function erased({ augment }: ImageRecipe): Augmentation | null {
  const probability = augment?.erase ?? 0
  return probability > 0
    ? pictureChange('erase', 'erase', (image, draws) => randomErase(image, probability, draws))
    : null
}
