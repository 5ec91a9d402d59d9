import type { AugmentDraws } from './draws.ts'
import type { Picture } from './picture.ts'

/** Rows top..bottom-1 and columns left..right-1. */
export interface Box {
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
export function cutmix(
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
