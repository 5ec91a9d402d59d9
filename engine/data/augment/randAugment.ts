import type { Augmentation } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import { type ImageOperation, type OperationName, operations } from './operations.ts'
import type { AugmentOptions, ImageRecipe } from './options.ts'
import { type Picture, pictureChange } from './picture.ts'

export type RandAugmentOptions = NonNullable<AugmentOptions['randAugment']>

const PROBABILITY = 0.5

const names: OperationName[] = [
  'AutoContrast',
  'Equalize',
  'Invert',
  'Rotate',
  'Posterize',
  'Solarize',
  'SolarizeAdd',
  'Color',
  'Contrast',
  'Brightness',
  'Sharpness',
  'ShearX',
  'ShearY',
  'TranslateXRel',
  'TranslateYRel',
]

/** `rand-m<m>-n<n>-mstd<mstd>-mmax<mmax>-inc1` of timm (Cubuk et al. 2019): each operation with probability 1/2. */
export function randAugment(
  image: Picture,
  { n, m, mstd, mmax, inc }: RandAugmentOptions,
  draws: AugmentDraws,
): Picture {
  let changed = image
  for (let i = 0; i < n; i++) {
    const name = names[draws.below(names.length)] as OperationName
    if (!draws.chance(PROBABILITY)) continue
    const magnitude = mstd > 0 ? m + mstd * draws.normal() : m
    const operation: ImageOperation = operations[increasing(name, inc)]
    changed = operation(changed, Math.min(Math.max(magnitude, 0), mmax) / 10, draws)
  }
  return changed
}

function increasing(name: OperationName, inc: boolean): OperationName {
  const other = `${name}Increasing`
  return inc && other in operations ? (other as OperationName) : name
}

/** `augment.randAugment`, where there is no other policy. */
export function randAugmented({ augment }: ImageRecipe): Augmentation | null {
  const { randAugment: options, autoAugment } = augment ?? {}
  if (!options || autoAugment) return null
  return pictureChange('randAugment', 'policy', (image, draws) => randAugment(image, options, draws))
}
