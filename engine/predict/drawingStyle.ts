import { add, dispose, mul, tidy } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { VALIDATION } from '../records/splits.ts'
import type { Task } from '../tasks/types.ts'
import { type DrawingStyle, drawingStyleOf } from './drawing.ts'

/** How many pictures show how those of a data set are drawn. */
const LOOKED_AT = 64

/** How the validation pictures of a task are drawn. Throws MixlabError `option` for a task that reads no pictures. */
export async function drawingStyleIn({ evalBatches, preparation }: Task): Promise<DrawingStyle> {
  if (preparation?.kind !== 'image') throw new MixlabError('option', 'drawing', 'the run reads no pictures')
  const { mean, deviation, size, channels } = preparation
  for await (const batch of evalBatches(VALIDATION, LOOKED_AT, LOOKED_AT)) {
    const pixels = tidy(() => add(mul(batch.input, deviation), mean))
    try {
      return drawingStyleOf((await pixels.data()) as Float32Array, [...size, channels])
    } finally {
      dispose([pixels, batch])
    }
  }
  return drawingStyleOf(new Float32Array(), [...size, channels])
}
