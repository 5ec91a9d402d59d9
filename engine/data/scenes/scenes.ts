import { z } from 'zod'
import { difficulty, generated } from '../generated.ts'
import { drawnOptions } from '../images/drawn-images.ts'
import { sceneForm } from './form.ts'
import { drawScene, plantedIn, SCENE_CLASSES } from './scenes-paint.ts'

const options = z.strictObject({
  /** 0 has few objects that stand out, 1 many faint ones in noise. */
  difficulty,
  ...drawnOptions({ size: 32, train: 2048, test: 512 }),
})

/**
 * Discs, squares, triangles and crosses of any colour, turned, one over the other on a ground of waves; the class of a pixel
 * is the outline of the object there, or the ground. Generated.
 */
export const scenes = generated({ name: 'scenes', version: 1, form: sceneForm }, options, ({ size, difficulty }) => ({
  classes: SCENE_CLASSES,
  shape: { image: [size, size, 3], target: [size, size] },
  make: (random) => drawScene(random.key(), size, difficulty),
  planted: (random) => plantedIn(random.key(), difficulty),
}))
