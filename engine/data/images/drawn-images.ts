import { z } from 'zod'
import type { Key } from '../../random.ts'
import { type Generated, generatedOptions } from '../generated.ts'
import type { Planted } from '../types.ts'

/** What all generated images have as options beside their difficulty, with these defaults. */
export const drawnOptions = ({ size, ...counts }: { size: number; train: number; test: number }) => ({
  /** Height and width in pixels. */
  size: z.int().min(16).max(256).default(size),
  ...generatedOptions(counts),
})

interface Drawn {
  classes: string[]
  channels: 1 | 3
  /** Draws an example of class `label` into `out` `[size, size, channels]`, all its numbers from `key`. */
  draw(key: Key, label: number, size: number, difficulty: number, out: Uint8Array): void
  /** What that draws, in numbers. */
  planted(key: Key, label: number, difficulty: number): Planted
}

/** Generated images with a class each, as many of every one. */
export function drawnImages(
  { classes, channels, draw, planted }: Drawn,
  { size, difficulty }: { size: number; difficulty: number },
): Generated {
  return {
    classes,
    shape: { image: [size, size, channels] },
    make: (random) => {
      const label = random.balanced('labels', classes.length)
      const image = new Uint8Array(size * size * channels)
      draw(random.key('image'), label, size, difficulty, image)
      return { image, label }
    },
    planted: (random) => planted(random.key('image'), random.balanced('labels', classes.length), difficulty),
  }
}
