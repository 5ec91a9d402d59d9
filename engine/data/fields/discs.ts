import { z } from 'zod'
import { type Key, normal, uniform } from '../../random.ts'
import { difficulty, generated } from '../generated.ts'
import { drawnOptions } from '../images/drawn-images.ts'
import type { Planted } from '../types.ts'
import { fieldForm } from './form.ts'

const MOST_DISCS = 4

const options = z.strictObject({
  /** 0 is clean, with discs of one brightness; 1 is noisy, with faint ones. */
  difficulty,
  ...drawnOptions({ size: 32, train: 4096, test: 1024 }),
})

/**
 * Grey images, -1 to 1, with one to four discs that may cover each other, and their `area`: the share of the pixels in any
 * of them. Generated.
 */
export const discs = generated({ name: 'discs', version: 1, form: fieldForm }, options, ({ size, difficulty }) => ({
  shape: { image: [size, size, 1] },
  make: (random) => {
    const image = new Float32Array(size * size)
    return { image, area: drawDiscs(random.key(), size, difficulty, image) }
  },
  planted: (random) => plantedIn(discsOf(random.key(), 1, difficulty)),
}))

interface Disc {
  x: number
  y: number
  radius: number
  brightness: number
}

/** The discs of an image whose side is `size`. */
function discsOf(key: Key, size: number, difficulty: number): Disc[] {
  const at = (counter: number) => uniform(key, counter)
  return Array.from({ length: 1 + Math.floor(at(0) * MOST_DISCS) }, (_, i) => ({
    x: at(4 * i + 1) * size,
    y: at(4 * i + 2) * size,
    radius: (0.08 + 0.22 * at(4 * i + 3)) * size,
    brightness: 1 - 1.5 * difficulty * at(4 * i + 4),
  }))
}

/** What an image shows: lengths as shares of its side. */
function plantedIn(discs: Disc[]): Planted {
  const touching = discs.flatMap((disc, i) =>
    discs.slice(0, i).filter(({ x, y, radius }) => Math.hypot(x - disc.x, y - disc.y) < radius + disc.radius),
  )
  const cut = ({ x, y, radius }: Disc) => Math.min(x, y, 1 - x, 1 - y) < radius
  return {
    discs: discs.length,
    'pairs that overlap': touching.length,
    'cut by the edge': discs.filter(cut).length,
    'least brightness': Math.min(...discs.map(({ brightness }) => brightness)),
    'mean radius': discs.reduce((sum, { radius }) => sum + radius, 0) / discs.length,
  }
}

/** Draws discs into `out`, `[size, size]`; the share of its pixels that they cover. */
function drawDiscs(key: Key, size: number, difficulty: number, out: Float32Array): number {
  const discs = discsOf(key, size, difficulty)
  let covered = 0
  for (let pixel = 0; pixel < out.length; pixel++) {
    const [x, y] = [(pixel % size) + 0.5, Math.floor(pixel / size) + 0.5]
    const over = discs.filter((disc) => (x - disc.x) ** 2 + (y - disc.y) ** 2 < disc.radius ** 2)
    if (over.length > 0) covered += 1
    const value = over.at(-1)?.brightness ?? -1
    out[pixel] = Math.max(-1, Math.min(1, value + 0.5 * difficulty * normal(key, 4 * MOST_DISCS + 1 + pixel)))
  }
  return covered / out.length
}
