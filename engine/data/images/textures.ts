import { z } from 'zod'
import { difficulty, generated } from '../generated.ts'
import { drawnImages, drawnOptions } from './drawn-images.ts'
import { imageForm } from './form.ts'
import { drawField, plantedIn, TEXTURES_CLASSES } from './textures-field.ts'

const options = z.strictObject({
  /** 0 is clean and easy, 1 is noisy, with directions and scales that blur into each other. */
  difficulty,
  ...drawnOptions({ size: 32, train: 4096, test: 1024 }),
})

/**
 * Grey random fields whose autocovariance is the class: waves in one of four directions or in all, coarse or fine.
 * Every image holds the same values in another order, so that only how pixels go together says anything. Generated.
 */
export const textures = generated({ name: 'textures', version: 1, form: imageForm }, options, (options) =>
  drawnImages({ classes: TEXTURES_CLASSES, channels: 1, draw: drawField, planted: plantedIn }, options),
)
