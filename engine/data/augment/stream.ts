import type { ImageBatch, ImageDataset } from '../types.ts'
import { type Augmented, changesPixels } from './augment.ts'
import { ownOf } from './index.ts'
import { type ImageRecipe, imageOptionsOf } from './options.ts'
import { type Augmenter, startAugmenter } from './thread.ts'

export interface AugmentedOptions {
  recipe: ImageRecipe
  seed: number
  /** Step of the first batch. */
  from: number
  /** What augments, in its thread; what cells define is done in this one. */
  beside: Augmenter
}

/** Training batches augmented, each while the one before is in use; in a thread if their pixels change, by built-in code alone. */
export async function* augmented(
  source: AsyncGenerator<ImageBatch, never, void>,
  { shape, classes }: ImageDataset,
  { recipe: whole, seed, from, beside }: AugmentedOptions,
): AsyncGenerator<Augmented, never, void> {
  const recipe = imageOptionsOf(whole)
  const here = ownOf(recipe).length > 0 // another thread has not the code of cells
  const augmenter = changesPixels(recipe) && !here ? beside : await startAugmenter()
  const take = async (step: number) => {
    const { value: batch } = await source.next()
    return augmenter.run({ batch, shape, classes: classes.length, recipe, seed, step, twice: step === from })
  }
  try {
    let next = take(from)
    for (let step = from + 1; ; step++) {
      const current = await next
      next = take(step)
      next.catch(() => {}) // thrown where the batch is due
      yield current
    }
  } finally {
    await source.return(undefined as never)
  }
}
