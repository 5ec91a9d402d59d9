import type { Field, FieldBatch } from '../types.ts'
import { type AugmentableBatch, applyAugmentations } from './apply.ts'
import { augmentationsOf, ownOf } from './index.ts'
import type { ImageRecipe } from './options.ts'

/** Which batches are changed, and how. */
export interface PartsOptions {
  recipe?: ImageRecipe | undefined
  seed: number
  /** Step of the first batch. */
  from: number
}

/** Training batches of named parts, with what augmentations of cells make of them, and what the parts are then. */
export async function* augmentedParts(
  source: AsyncGenerator<FieldBatch, void, void>,
  fields: Readonly<Record<string, Field>>,
  { recipe, seed, from }: PartsOptions,
): AsyncGenerator<AugmentableBatch, void, void> {
  const own = recipe && ownOf(recipe).length > 0 ? augmentationsOf(recipe) : []
  let step = from
  for await (const values of source) {
    yield applyAugmentations({ fields, values }, own, { seed, step, twice: step === from })
    step += 1
  }
}
