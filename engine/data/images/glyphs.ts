import { z } from 'zod'
import { digest } from '../digest.ts'
import { datasetKind } from '../kind.ts'
import type { ImageDataset } from '../types.ts'
import { drawnSplit } from './drawn-split.ts'
import { drawGlyph } from './glyphs-scene.ts'
import { GLYPH_NAMES } from './glyphs-strokes.ts'

/** Changes whenever an image would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 is clean and easy, 1 is faint, noisy, distorted and cluttered. */
  difficulty: z.number().min(0).max(1).default(0.5),
  /** The first so many of A to Z and 0 to 9. */
  classes: z.int().min(2).max(GLYPH_NAMES.length).default(26),
  /** Height and width in pixels. */
  size: z.int().min(16).max(256).default(28),
  /** Examples to train on. */
  train: z.int().min(1).default(8192),
  /** Examples to test on. */
  test: z.int().min(1).default(2048),
  /** Another seed is another draw of all examples. */
  seed: z.int().min(0).default(0),
})

export type GlyphsOptions = z.input<typeof options>
type Options = z.output<typeof options>

/** Grey capital letters, and digits, drawn from strokes among scraps of others. */
export const glyphsKind = datasetKind('glyphs', options, openGlyphs)

async function openGlyphs(options: Options, hashed: object): Promise<ImageDataset> {
  const { size, difficulty, seed } = options
  const classes = GLYPH_NAMES.slice(0, options.classes)
  const split = (name: 'train' | 'test') =>
    drawnSplit({
      size: options[name],
      length: size * size,
      classes: classes.length,
      path: `glyphs/${VERSION}/${name}`,
      seed,
      draw: (key, label, out) => drawGlyph(key, label, size, difficulty, out),
    })
  return {
    name: 'glyphs',
    classes,
    shape: [size, size, 1],
    hash: digest(JSON.stringify(['glyphs', VERSION, hashed])),
    train: split('train'),
    test: split('test'),
  }
}
