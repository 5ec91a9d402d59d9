import { z } from 'zod'
import { type Key, keyOf, normal, uniform } from '../../random.ts'
import { digest } from '../digest.ts'
import { difficulty, drawnOptions } from '../images/drawn-images.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { validationCountBeside } from '../splits.ts'
import type { FieldBatch, FieldDataset, Split } from '../types.ts'

/** Changes whenever an example would. */
const VERSION = 1
const MOST_DISCS = 4

const options = z.strictObject({
  /** 0 is clean, with discs of one brightness; 1 is noisy, with faint ones. */
  difficulty,
  ...drawnOptions({ size: 32, train: 4096, test: 1024 }),
})

type Options = z.output<typeof options> & { validation: number }

/**
 * Grey images, -1 to 1, with one to four discs that may cover each other, and their `area`: the share of the pixels in any
 * of them. Generated.
 */
export const discs = namedDataset('discs', options, async (options: Options, hashed): Promise<FieldDataset> => {
  const { size, train, test } = options
  return {
    name: 'discs',
    hash: digest(JSON.stringify(['discs', VERSION, hashed])),
    fields: { image: { shape: [size, size, 1], dtype: 'float32' }, area: { shape: [], dtype: 'float32' } },
    train: drawnSplit(options, 'train', train),
    validation: drawnSplit(options, 'validation', validationCountBeside(options)),
    test: drawnSplit(options, 'test', test),
  }
})

/** Draws examples whenever they are read: each takes some ten thousand additions. */
function drawnSplit({ size, difficulty, seed }: Options, part: string, examples: number): Split<FieldBatch> {
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, examples)
    const image = new Float32Array(indices.length * size * size)
    const area = Float32Array.from(indices, (index, i) => {
      const pixels = image.subarray(i * size * size, (i + 1) * size * size)
      return drawDiscs(keyOf(seed, `discs/${VERSION}/${part}/${index}`), size, difficulty, pixels)
    })
    return { image, area }
  }
  return { size: examples, read }
}

/** Draws discs into `out`, `[size, size]`; the share of its pixels that they cover. */
function drawDiscs(key: Key, size: number, difficulty: number, out: Float32Array): number {
  const at = (counter: number) => uniform(key, counter)
  const discs = Array.from({ length: 1 + Math.floor(at(0) * MOST_DISCS) }, (_, i) => ({
    x: at(4 * i + 1) * size,
    y: at(4 * i + 2) * size,
    radius: (0.08 + 0.22 * at(4 * i + 3)) * size,
    brightness: 1 - 1.5 * difficulty * at(4 * i + 4),
  }))
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
