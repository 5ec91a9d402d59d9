import { z } from 'zod'
import { difficulty, generated } from '../generated.ts'
import { drawnImages, drawnOptions } from './drawn-images.ts'
import { imageForm } from './form.ts'
import { drawGlyph, plantedIn } from './glyphs-scene.ts'
import { GLYPH_NAMES } from './glyphs-strokes.ts'

const options = z.strictObject({
  /** 0 is clean and easy, 1 is faint, noisy, distorted and cluttered. */
  difficulty,
  /** The first so many of A to Z and 0 to 9. */
  classes: z.int().min(2).max(GLYPH_NAMES.length).default(26),
  ...drawnOptions({ size: 28, train: 8192, test: 2048 }),
})

/** Grey capital letters, and digits, drawn from strokes among scraps of others. Generated. */
export const glyphs = generated({ name: 'glyphs', version: 1, form: imageForm }, options, (options) =>
  drawnImages(
    { classes: GLYPH_NAMES.slice(0, options.classes), channels: 1, draw: drawGlyph, planted: plantedIn },
    options,
  ),
)
