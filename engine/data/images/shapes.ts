import { z } from 'zod'
import { type Key, keyOf, permutation } from '../../random.ts'
import { digest } from '../digest.ts'
import { datasetKind } from '../kind.ts'
import type { ImageDataset, ImageSplit } from '../types.ts'
import { drawScene, SHAPES_CLASSES } from './shapes-scene.ts'
import { checkIndices, gather } from './split.ts'

/** Changes whenever an image would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 is clean and easy, 1 is faint, noisy and cluttered. */
  difficulty: z.number().min(0).max(1).default(0.5),
  /** Height and width in pixels. */
  size: z.int().min(16).max(256).default(32),
  /** Examples to train on. */
  train: z.int().min(1).default(4096),
  /** Examples to test on. */
  test: z.int().min(1).default(1024),
  /** Another seed is another draw of all examples. */
  seed: z.int().min(0).default(0),
})

export type ShapesOptions = z.input<typeof options>
type Options = z.output<typeof options>

/**
 * Two textured objects on a noisy ground; the class is which texture is left of which other. One object, or both
 * without their places, leave two of the ten classes open; outline, colour, polarity and height say nothing.
 */
export const shapesKind = datasetKind('shapes', options, openShapes)

async function openShapes(options: Options): Promise<ImageDataset> {
  return {
    name: 'shapes',
    classes: SHAPES_CLASSES,
    shape: [options.size, options.size, 3],
    hash: digest(JSON.stringify(['shapes', VERSION, options])),
    train: drawnSplit(options, 'train'),
    test: drawnSplit(options, 'test'),
  }
}

/** Draws examples when they are first read and keeps them, one byte a value. */
function drawnSplit({ seed, size, difficulty, ...sizes }: Options, name: 'train' | 'test'): ImageSplit {
  const count = sizes[name]
  const length = size * size * 3
  const key = (path: string): Key => keyOf(seed, `shapes/${VERSION}/${name}/${path}`)
  const drawn = new Uint8Array(count)
  const labels = new Uint8Array(count)
  let pixels = new Uint8Array()

  const draw = (index: number) => {
    // Every ten examples in a row hold every class once, whatever the number of examples.
    const ten = permutation(key(`labels/${Math.floor(index / 10)}`), 10)
    labels[index] = ten[index % 10] ?? 0
    const image = pixels.subarray(index * length, (index + 1) * length)
    drawScene(key(`image/${index}`), labels[index] ?? 0, size, difficulty, image)
    drawn[index] = 1
  }
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, count)
    if (pixels.length === 0) pixels = new Uint8Array(count * length)
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] ?? 0
      if (!drawn[index]) draw(index)
    }
    return gather({ pixels, labels }, length, indices)
  }
  return { size: count, read }
}
