import { type Key, keyOf, permutation } from '../../random.ts'
import { checkIndices } from '../indices.ts'
import type { ImageSplit } from '../types.ts'
import { gather } from './split.ts'

/** What a split of generated images is made of. */
export interface Drawing {
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
export function drawnSplit({ size, length, classes, path, seed, draw }: Drawing): ImageSplit {
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
