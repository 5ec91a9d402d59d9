import { z } from 'zod'
import { keyOf } from '../../random.ts'
import { digest } from '../digest.ts'
import { difficulty, drawnOptions } from '../images/drawn-images.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { validationCountBeside } from '../splits.ts'
import type { SceneBatch, SceneDataset, Split } from '../types.ts'
import { drawScene, SCENE_CLASSES } from './scenes-paint.ts'

/** Changes whenever a scene would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 has few objects that stand out, 1 many faint ones in noise. */
  difficulty,
  ...drawnOptions({ size: 32, train: 2048, test: 512 }),
})

type Options = z.output<typeof options>

/**
 * Discs, squares, triangles and crosses of any colour, turned, one over the other on a ground of waves; the class of a pixel
 * is the outline of the object there, or the ground. Generated.
 */
export const scenes = namedDataset('scenes', options, async (options, hashed) => ({
  name: 'scenes',
  classes: SCENE_CLASSES,
  shape: [options.size, options.size, 3] as SceneDataset['shape'],
  hash: digest(JSON.stringify(['scenes', VERSION, hashed])),
  train: drawnSplit(options, 'train', options.train),
  validation: drawnSplit(options, 'validation', validationCountBeside(options)),
  test: drawnSplit(options, 'test', options.test),
}))

/** Draws scenes when they are first read and keeps them, a byte a value. */
function drawnSplit({ size, seed, difficulty }: Options, part: string, count: number): Split<SceneBatch> {
  const area = size * size
  const drawn: { pixels: Uint8Array; map: Uint8Array }[] = []
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, count)
    const pixels = new Float32Array(indices.length * area * 3)
    const maps = new Int32Array(indices.length * area)
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] as number
      drawn[index] ??= drawScene(keyOf(seed, `scenes/${VERSION}/${part}/${index}`), size, difficulty)
      pixels.set(drawn[index].pixels, i * area * 3)
      maps.set(drawn[index].map, i * area)
    }
    for (let i = 0; i < pixels.length; i++) pixels[i] = (pixels[i] as number) / 255
    return { pixels, maps }
  }
  return { size: count, read }
}
