import { z } from 'zod'
import { digest } from '../digest.ts'
import { datasetKind } from '../kind.ts'
import type { ImageDataset } from '../types.ts'
import { drawnSplit } from './drawn-split.ts'
import { drawField, TEXTURES_CLASSES } from './textures-field.ts'

/** Changes whenever an image would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 is clean and easy, 1 is noisy, with directions and scales that blur into each other. */
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

export type TexturesOptions = z.input<typeof options>
type Options = z.output<typeof options>

/**
 * Grey random fields whose autocovariance is the class: waves in one of four directions or in all, coarse or fine.
 * Every image holds the same values in another order, so that only how pixels go together says anything.
 */
export const texturesKind = datasetKind('textures', options, openTextures)

async function openTextures(options: Options, hashed: object): Promise<ImageDataset> {
  const { size, difficulty, seed } = options
  const split = (name: 'train' | 'test') =>
    drawnSplit({
      size: options[name],
      length: size * size,
      classes: TEXTURES_CLASSES.length,
      path: `textures/${VERSION}/${name}`,
      seed,
      draw: (key, label, out) => drawField(key, label, size, difficulty, out),
    })
  return {
    name: 'textures',
    classes: TEXTURES_CLASSES,
    shape: [size, size, 1],
    hash: digest(JSON.stringify(['textures', VERSION, hashed])),
    train: split('train'),
    test: split('test'),
  }
}
