import { type AugmentDraws, drawsOf } from '../../../../engine/data/augment/draws.ts'
import type { Picture } from '../../../../engine/data/augment/picture.ts'
import { keyOf, uniform } from '../../../../engine/random.ts'

/** A picture of uniform noise, or of what `value` says of row, column and channel. */
export function picture(
  [height, width, channels]: [number, number, number] = [8, 6, 3],
  value?: (y: number, x: number, channel: number) => number,
): Picture {
  const key = keyOf(1, 'picture')
  const pixels = Float32Array.from({ length: height * width * channels }, (_, at) => {
    const place = Math.floor(at / channels)
    return value ? value(Math.floor(place / width), place % width, at % channels) : uniform(key, at)
  })
  return { pixels, height, width, channels }
}

/** Draws that say yes to everything with a chance above 0, and otherwise are as named. */
export function yes(name = 'test'): AugmentDraws {
  return { ...drawsOf(1, name), chance: (probability) => probability > 0 }
}

export function inRange({ pixels }: Picture): boolean {
  return pixels.every((value) => value >= 0 && value <= 1)
}
