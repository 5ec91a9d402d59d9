import type { AugmentDraws } from './draws.ts'
import { brightness, color, contrast, sharpness } from './enhance.ts'
import type { Picture } from './picture.ts'
import { autoContrast, equalize, invert, posterize, solarize, solarizeAdd } from './tones.ts'
import { rotate, warp } from './warp.ts'

/** An operation of AutoAugment and RandAugment, `level` of its strength: 1 is magnitude 10. */
export type ImageOperation = (image: Picture, level: number, draws: AugmentDraws) => Picture

const signed = (value: number, draws: AugmentDraws) => (draws.chance(0.5) ? -value : value)

type Enhance = (image: Picture, factor: number) => Picture

/** From 0.1 to 1.9: stronger away from 1, which is in the middle. */
const factor =
  (enhance: Enhance): ImageOperation =>
  (image, level) =>
    enhance(image, 0.1 + 1.8 * level)

/** From 1 outwards to 0.1 or 1.9. */
const outward =
  (enhance: Enhance): ImageOperation =>
  (image, level, draws) =>
    enhance(image, Math.max(0.1, 1 + signed(0.9 * level, draws)))

const SHEAR = 0.3
const SHIFT = 0.45 // of the image
const whole = Math.trunc

/** The operations of timm, by its names. */
export const operations = {
  AutoContrast: autoContrast,
  Equalize: equalize,
  Invert: invert,
  Rotate: (image, level, draws) => rotate(image, signed(30 * level, draws)),
  Posterize: (image, level) => posterize(image, whole(4 * level)),
  PosterizeIncreasing: (image, level) => posterize(image, 4 - whole(4 * level)),
  PosterizeOriginal: (image, level) => posterize(image, 4 + whole(4 * level)),
  Solarize: (image, level) => solarize(image, whole(256 * level)),
  SolarizeIncreasing: (image, level) => solarize(image, 256 - whole(256 * level)),
  SolarizeAdd: (image, level) => solarizeAdd(image, whole(110 * level)),
  Color: factor(color),
  ColorIncreasing: outward(color),
  Contrast: factor(contrast),
  ContrastIncreasing: outward(contrast),
  Brightness: factor(brightness),
  BrightnessIncreasing: outward(brightness),
  Sharpness: factor(sharpness),
  SharpnessIncreasing: outward(sharpness),
  ShearX: (image, level, draws) => warp(image, [1, signed(SHEAR * level, draws), 0, 0, 1, 0]),
  ShearY: (image, level, draws) => warp(image, [1, 0, 0, signed(SHEAR * level, draws), 1, 0]),
  TranslateXRel: (image, level, draws) => warp(image, [1, 0, signed(SHIFT * level, draws) * image.width, 0, 1, 0]),
  TranslateYRel: (image, level, draws) => warp(image, [1, 0, 0, 0, 1, signed(SHIFT * level, draws) * image.height]),
} satisfies Record<string, ImageOperation>

export type OperationName = keyof typeof operations
