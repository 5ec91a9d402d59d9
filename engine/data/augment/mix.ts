import { cutmix, drawBox } from './cutmix.ts'
import type { AugmentDraws } from './draws.ts'
import { mixup } from './mixup.ts'
import type { ImageRecipe } from './options.ts'
import type { Picture } from './picture.ts'

/** A batch after mixing, and the weight of an example's own label; its partner's is 1 - weight. */
export interface Mixed {
  pixels: Float32Array
  weight: number
}

/**
 * Mixup or cutmix for a whole batch `[count, height, width, channels]`, as `Mixup` of timm in mode `batch`: the weight is
 * drawn from Beta(alpha, alpha); that of cutmix is then the share that the clipped box leaves.
 */
export function mix(
  pixels: Float32Array,
  shape: Omit<Picture, 'pixels'>,
  { mixup: mixupAlpha = 0, cutmix: cutmixAlpha = 0, mixupProb, mixupSwitchProb }: ImageRecipe,
  draws: AugmentDraws,
): Mixed {
  if (mixupAlpha + cutmixAlpha === 0 || !draws.chance(mixupProb)) return { pixels, weight: 1 }
  const cut = mixupAlpha > 0 && cutmixAlpha > 0 ? draws.chance(mixupSwitchProb) : cutmixAlpha > 0
  const weight = draws.beta(cut ? cutmixAlpha : mixupAlpha)
  const { height, width, channels } = shape
  if (!cut) return { pixels: mixup(pixels, pixels.length / (height * width * channels), weight), weight }
  const box = drawBox(shape, weight, draws)
  const area = (box.bottom - box.top) * (box.right - box.left)
  return { pixels: cutmix(pixels, shape, box), weight: 1 - area / (height * width) }
}
