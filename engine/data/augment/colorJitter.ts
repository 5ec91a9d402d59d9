import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import { brightness, color, contrast } from './enhance.ts'
import type { ImageRecipe } from './options.ts'
import { type Picture, pictureChange } from './picture.ts'

/**
 * Brightness, contrast and saturation, each by a factor in 1 - strength..1 + strength, in any order, as
 * torchvision's ColorJitter.
 */
export function colorJitter(image: Picture, strength: number, draws: AugmentDraws): Picture {
  const left = [brightness, contrast, color]
  let changed = image
  while (left.length > 0) {
    const [enhance] = left.splice(draws.below(left.length), 1)
    const factor = draws.between(Math.max(0, 1 - strength), 1 + strength)
    if (enhance) changed = enhance(changed, factor)
  }
  return changed
}

/** `augment.colorJitter`, where there is no policy. */
export function jittered({ augment }: ImageRecipe): Augmentation | null {
  const { colorJitter: strength = 0, autoAugment, randAugment } = augment ?? {}
  if (!strength || autoAugment || randAugment) return null
  return pictureChange('colorJitter', 'jitter', (image, draws) => colorJitter(image, strength, draws))
}
