import { type Augmentation, define } from './definition.ts'
import type { AugmentDraws } from './draws.ts'
import type { ImageRecipe } from './options.ts'
import type { Picture } from './picture.ts'
import { softTargets } from './targets.ts'

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

/** Each example mixed with its partner in the reversed batch, weight * own + (1 - weight) * partner (Zhang et al. 2018). */
export function mixup(pixels: Float32Array, count: number, weight: number): Float32Array {
  const length = pixels.length / count
  const mixed = new Float32Array(pixels.length)
  for (let i = 0, at = 0; i < count; i++) {
    const partner = (count - 1 - 2 * i) * length
    for (const end = at + length; at < end; at++) {
      mixed[at] = weight * (pixels[at] as number) + (1 - weight) * (pixels[at + partner] as number)
    }
  }
  return mixed
}

/** Rows top..bottom-1 and columns left..right-1. */
interface Box {
  top: number
  bottom: number
  left: number
  right: number
}

/** A box of the share 1 - weight of an image, at a uniform centre and clipped to the image, as `rand_bbox` of timm. */
export function drawBox(
  { height, width }: Pick<Picture, 'height' | 'width'>,
  weight: number,
  draws: AugmentDraws,
): Box {
  const side = Math.sqrt(1 - weight)
  const [top, bottom] = clipped(draws.below(height), Math.trunc(height * side), height)
  const [left, right] = clipped(draws.below(width), Math.trunc(width * side), width)
  return { top, bottom, left, right }
}

function clipped(centre: number, length: number, limit: number): [number, number] {
  const half = Math.floor(length / 2)
  return [Math.max(0, centre - half), Math.min(limit, centre + half)]
}

/** Each example with the box of its partner in the reversed batch (Yun et al. 2019); `[count, height, width, channels]`. */
function cutmix(
  pixels: Float32Array,
  { height, width, channels }: Omit<Picture, 'pixels'>,
  { top, bottom, left, right }: Box,
): Float32Array {
  const length = height * width * channels
  const count = pixels.length / length
  const mixed = pixels.slice()
  for (let i = 0; i < count; i++) {
    const partner = (count - 1 - i) * length
    for (let y = top; y < bottom; y++) {
      const [from, to] = [(y * width + left) * channels, (y * width + right) * channels]
      mixed.set(pixels.subarray(partner + from, partner + to), i * length + from)
    }
  }
  return mixed
}

/** `mixup` and `cutmix`, with the labels of what was mixed. */
export function mixed(recipe: ImageRecipe): Augmentation | null {
  if (!recipe.mixup && !recipe.cutmix) return null
  return define('mix', {
    part: 'image',
    batch: ({ values, shape, parts, classes }, random) => {
      const [height = 0, width = 0, channels = 0] = shape
      const sizes = { height, width, channels }
      const { pixels, weight } = mix(values, sizes, recipe, random.stream('mix'))
      return {
        image: pixels,
        label: softTargets(parts.label?.values ?? [], classes, recipe.labelSmoothing ?? 0, weight),
      }
    },
  })
}
