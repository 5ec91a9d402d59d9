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

/** A batch that is waited for longer is late, in ms. */
const LATE_MS = 1

/**
 * Training batches augmented, while others are in use: in threads if their pixels change, by built-in code alone, and then as
 * many at a time, and as many ahead, as it takes for none to be waited for.
 */
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
  const coming: Promise<Augmented>[] = []
  let step = from
  const fill = () => {
    while (coming.length < augmenter.ahead()) {
      const next = take(step++)
      next.catch(() => {}) // thrown where the batch is due
      coming.push(next)
    }
  }
  try {
    for (fill(); ; ) {
      const since = performance.now()
      const current = await (coming.shift() as Promise<Augmented>)
      augmenter.waited(performance.now() - since > LATE_MS)
      fill()
      yield current
    }
  } finally {
    await source.return(undefined as never)
  }
}
