import * as tf from '@tensorflow/tfjs-core'
import { ownOf } from '../../data/augment/index.ts'
import { MixlabError } from '../../errors.ts'
import { lineOf, locate } from '../../notebook/location.ts'
import type { Task } from '../../tasks/types.ts'
import type { OpenVariant } from '../opened.ts'

/** Examples that are tried: more than one, since some are mixed with others. */
const EXAMPLES = 2

/**
 * Tries the augmentations of cells on the first training examples, each list of them once on each task. Throws what is
 * wrong with them, with the line of the cell.
 */
export async function checkAugmentations(variants: readonly Pick<OpenVariant, 'recipe' | 'opened'>[]): Promise<void> {
  const tried = new Map<Task, unknown[][]>()
  for (const { recipe, opened } of variants) {
    const own = [...ownOf(recipe)]
    const known = tried.get(opened) ?? []
    if (
      own.length === 0 ||
      known.some((list) => list.length === own.length && list.every((each, i) => each === own[i]))
    )
      continue
    tried.set(opened, [...known, own])
    const batches = opened.trainBatches(EXAMPLES, 0, 0, { recipe })
    try {
      const { value } = await batches.next()
      tf.dispose(value ?? {})
    } catch (error) {
      const line = error instanceof MixlabError ? null : lineOf(error)
      throw line === null ? error : locate(error, line)
    } finally {
      await batches.return(undefined)
    }
  }
}
