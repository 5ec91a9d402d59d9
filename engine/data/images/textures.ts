import { z } from 'zod'
import { namedDataset } from '../kind.ts'
import { difficulty, drawnImages, drawnOptions } from './drawn-images.ts'
import { drawField, TEXTURES_CLASSES } from './textures-field.ts'

const options = z.strictObject({
  /** 0 is clean and easy, 1 is noisy, with directions and scales that blur into each other. */
  difficulty,
  ...drawnOptions({ size: 32, train: 4096, test: 1024 }),
})

/**
 * Grey random fields whose autocovariance is the class: waves in one of four directions or in all, coarse or fine.
 * Every image holds the same values in another order, so that only how pixels go together says anything. Generated.
 */
export const textures = namedDataset('textures', options, async (options, hashed) =>
  drawnImages(
    { name: 'textures', version: 1, classes: TEXTURES_CLASSES, channels: 1, draw: drawField },
    options,
    hashed,
  ),
)
