import { z } from 'zod'
import { type Key, keyOf, permutation } from '../../random.ts'
import { digest } from '../digest.ts'
import { checkIndices } from '../indices.ts'
import { generatedCount, validationCountBeside } from '../splits.ts'
import type { ImageDataset, ImageSplit } from '../types.ts'
import { gather } from './split.ts'

/** 0 is clean and easy, 1 is hard. */
export const difficulty = z.number().min(0).max(1).default(0.5)

/** What all generated images have as options beside their difficulty, with these defaults. */
export const drawnOptions = (defaults: { size: number; train: number; test: number }) => ({
  /** Height and width in pixels. */
  size: z.int().min(16).max(256).default(defaults.size),
  /** Examples to train on; those to validate on are drawn beside them. */
  train: generatedCount.default(defaults.train),
  /** Examples to test on. */
  test: generatedCount.default(defaults.test),
  /** Another seed is another draw of all examples. */
  seed: z.int().min(0).default(0),
})

interface Drawn {
  name: string
  /** Changes whenever an image would. */
  version: number
  classes: string[]
  channels: 1 | 3
  /** Draws an example of class `label` into `out` `[size, size, channels]`, all its numbers from `key`. */
  draw(key: Key, label: number, size: number, difficulty: number, out: Uint8Array): void
}

/** A data set of generated images; `hashed` are the options that enter its hash. */
export function drawnImages(
  { name, version, classes, channels, draw }: Drawn,
  options: { size: number; difficulty: number; train: number; validation: number; test: number; seed: number },
  hashed: object,
): ImageDataset {
  const { size, difficulty, seed } = options
  const split = (part: 'train' | 'validation' | 'test', examples: number) =>
    drawnSplit({
      size: examples,
      length: size * size * channels,
      classes: classes.length,
      path: `${name}/${version}/${part}`,
      seed,
      draw: (key, label, out) => draw(key, label, size, difficulty, out),
    })
  const hash = digest(JSON.stringify([name, version, hashed]))
  return {
    name,
    classes,
    shape: [size, size, channels],
    hash,
    train: split('train', options.train),
    validation: split('validation', validationCountBeside(options)),
    test: split('test', options.test),
  }
}

/** What a split of generated images is made of. */
interface Drawing {
  /** Examples. */
  size: number
  /** Bytes of an example. */
  length: number
  classes: number
  /** Names all draws of the split, e.g. `shapes/1/train`. */
  path: string
  seed: number
  /** Draws an example of class `label` into `out`, all its numbers from `key`. */
  draw(key: Key, label: number, out: Uint8Array): void
}

/** Draws examples when they are first read and keeps them, one byte a value. */
function drawnSplit({ size, length, classes, path, seed, draw }: Drawing): ImageSplit {
  const drawn = new Uint8Array(size)
  const labels = new Uint8Array(size)
  let pixels = new Uint8Array()

  const drawOne = (index: number) => {
    // As many examples in a row as there are classes hold every class once, whatever the number of examples.
    const turn = permutation(keyOf(seed, `${path}/labels/${Math.floor(index / classes)}`), classes)
    labels[index] = turn[index % classes] ?? 0
    const image = pixels.subarray(index * length, (index + 1) * length)
    draw(keyOf(seed, `${path}/image/${index}`), labels[index] ?? 0, image)
    drawn[index] = 1
  }
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, size)
    if (pixels.length === 0) pixels = new Uint8Array(size * length)
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] ?? 0
      if (!drawn[index]) drawOne(index)
    }
    return gather({ pixels, labels }, length, indices)
  }
  return { size, read }
}
