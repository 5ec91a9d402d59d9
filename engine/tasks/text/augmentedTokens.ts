import * as tf from '@tensorflow/tfjs-core'
import { applyAugmentations } from '../../data/augment/apply.ts'
import { augmentationsOf, ownOf } from '../../data/augment/index.ts'
import type { PartsOptions } from '../../data/augment/parts.ts'
import type { Tokenizer } from '../../data/tokenizers/types.ts'
import { SPECIAL } from '../../data/tokenizers/types.ts'

interface Tokens extends PartsOptions {
  tokenizer: Pick<Tokenizer, 'size' | 'textOf'>
  /** Which part of a batch has the token ids. */
  part?: string
}

/** Tokens that an augmentation cannot change: they are no part of a text, or what a model is asked for. */
const KEPT: readonly number[] = [SPECIAL.pad, SPECIAL.first, SPECIAL.separator, SPECIAL.mask]

/**
 * Training batches whose `part`, by default `input`, token ids `[batch, tokens]`, is what augmentations of cells make of it, as the part
 * `tokens`. Special tokens and padding stay, whatever is given back. Nothing else of a batch changes.
 */
export async function* augmentedTokens(
  source: AsyncGenerator<tf.NamedTensorMap>,
  { tokenizer, recipe, seed, from, part = 'input' }: Tokens,
): AsyncGenerator<tf.NamedTensorMap> {
  const own = recipe && ownOf(recipe).length > 0 ? augmentationsOf(recipe) : []
  if (own.length === 0) return yield* source
  const classes = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.textOf(id))
  let step = from
  for await (const batch of source) {
    try {
      const before = batch[part] as tf.Tensor
      const [rows, length] = before.shape as [number, number]
      const ids = Int32Array.from(await before.data())
      const fields = { tokens: { dtype: 'int32', shape: [length], classes } } as const
      const given = { fields, values: { tokens: ids } }
      const { tokens } = applyAugmentations(given, own, { seed, step, twice: step === from }).values
      const kept = ids.map((id, at) => (KEPT.includes(id) ? id : Number(tokens?.[at])))
      const input = tf.tensor2d(kept, [rows, length], 'int32')
      before.dispose()
      batch[part] = input
    } catch (error) {
      tf.dispose(batch)
      throw error
    }
    yield batch
    step += 1
  }
}
