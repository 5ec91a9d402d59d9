import { z } from 'zod'
import { digest } from '../digest.ts'
import { datasetKind } from '../kind.ts'
import type { ImageDataset } from '../types.ts'
import { drawnSplit } from './drawn-split.ts'
import { drawScene, SHAPES_CLASSES } from './shapes-scene.ts'

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

async function openShapes(options: Options, hashed: object): Promise<ImageDataset> {
  const { size, difficulty, seed } = options
  const split = (name: 'train' | 'test') =>
    drawnSplit({
      size: options[name],
      length: size * size * 3,
      classes: SHAPES_CLASSES.length,
      path: `shapes/${VERSION}/${name}`,
      seed,
      draw: (key, label, out) => drawScene(key, label, size, difficulty, out),
    })
  return {
    name: 'shapes',
    classes: SHAPES_CLASSES,
    shape: [size, size, 3],
    hash: digest(JSON.stringify(['shapes', VERSION, hashed])),
    train: split('train'),
    test: split('test'),
  }
}
