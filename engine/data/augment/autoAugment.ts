import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import { type ImageOperation, type OperationName, operations } from './operations.ts'
import type { ImageRecipe } from './options.ts'
import { type Picture, pictureChange } from './picture.ts'

/** Name, probability and magnitude. */
type Step = [name: OperationName, probability: number, magnitude: number]

// The policy for ImageNet, Cubuk et al. 2018, table 9; `original` of timm.
const policy: [...Step, ...Step][] = [
  ['PosterizeOriginal', 0.4, 8, 'Rotate', 0.6, 9],
  ['Solarize', 0.6, 5, 'AutoContrast', 0.6, 5],
  ['Equalize', 0.8, 8, 'Equalize', 0.6, 3],
  ['PosterizeOriginal', 0.6, 7, 'PosterizeOriginal', 0.6, 6],
  ['Equalize', 0.4, 7, 'Solarize', 0.2, 4],
  ['Equalize', 0.4, 4, 'Rotate', 0.8, 8],
  ['Solarize', 0.6, 3, 'Equalize', 0.6, 7],
  ['PosterizeOriginal', 0.8, 5, 'Equalize', 1, 2],
  ['Rotate', 0.2, 3, 'Solarize', 0.6, 8],
  ['Equalize', 0.6, 8, 'PosterizeOriginal', 0.4, 6],
  ['Rotate', 0.8, 8, 'Color', 0.4, 0],
  ['Rotate', 0.4, 9, 'Equalize', 0.6, 2],
  ['Equalize', 0, 7, 'Equalize', 0.8, 8],
  ['Invert', 0.6, 4, 'Equalize', 1, 8],
  ['Color', 0.6, 4, 'Contrast', 1, 8],
  ['Rotate', 0.8, 8, 'Color', 1, 2],
  ['Color', 0.8, 8, 'Solarize', 0.8, 7],
  ['Sharpness', 0.4, 7, 'Invert', 0.6, 8],
  ['ShearX', 0.6, 5, 'Equalize', 1, 9],
  ['Color', 0.4, 0, 'Equalize', 0.6, 3],
  ['Equalize', 0.4, 7, 'Solarize', 0.2, 4],
  ['Solarize', 0.6, 5, 'AutoContrast', 0.6, 5],
  ['Invert', 0.6, 4, 'Equalize', 1, 8],
  ['Color', 0.6, 4, 'Contrast', 1, 8],
  ['Equalize', 0.8, 8, 'Equalize', 0.6, 3],
]

/** One of 25 pairs of operations (AutoAugment). */
export function autoAugment(image: Picture, draws: AugmentDraws): Picture {
  const [name, probability, magnitude, ...second] = policy[draws.below(policy.length)] as [...Step, ...Step]
  return perhaps(perhaps(image, [name, probability, magnitude], draws), second, draws)
}

function perhaps(image: Picture, [name, probability, magnitude]: Step, draws: AugmentDraws): Picture {
  const operation: ImageOperation = operations[name]
  return draws.chance(probability) ? operation(image, magnitude / 10, draws) : image
}

/** `augment.autoAugment` */
export function autoAugmented({ augment }: ImageRecipe): Augmentation | null {
  return augment?.autoAugment ? pictureChange('autoAugment', 'policy', autoAugment) : null
}
