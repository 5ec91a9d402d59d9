import { z } from 'zod'
import { difficulty, generated } from '../generated.ts'
import { drawnImages, drawnOptions } from './drawn-images.ts'
import { imageForm } from './form.ts'
import { drawScene, plantedIn, SHAPES_CLASSES } from './shapes-scene.ts'

const options = z.strictObject({
  /** 0 is clean and easy, 1 is faint, noisy and cluttered. */
  difficulty,
  ...drawnOptions({ size: 32, train: 4096, test: 1024 }),
})

/**
 * Two textured objects on a noisy ground; the class is which texture is left of which other. One object, or both
 * without their places, leave two of the ten classes open; outline, colour, polarity and height say nothing. Generated, nothing to download.
 */
export const shapes = generated({ name: 'shapes', version: 1, form: imageForm }, options, (options) =>
  drawnImages({ classes: SHAPES_CLASSES, channels: 3, draw: drawScene, planted: plantedIn }, options),
)
