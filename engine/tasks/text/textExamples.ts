import type * as tf from '@tensorflow/tfjs-core'
import { sequentialBatches } from '../../data/dataLoader.ts'
import { digest } from '../../data/digest.ts'
import type { Tokenizer } from '../../data/tokenizers/types.ts'
import type { FieldBatch, FieldDataset, Split } from '../../data/types.ts'
import { evaluated } from '../evaluated.ts'
import { batchesOf, numbersOf, tensorsOf } from '../examples.ts'
import { fitted, preparationOf, textExtras, textFields, textTensors } from '../textInput.ts'
import type { Examples } from '../types.ts'
import { augmentedTokens } from './augmentedTokens.ts'

/** All texts of a split, in its order, to learn a vocabulary from. */
export async function* textsOf(split: Split<FieldBatch>): AsyncGenerator<string> {
  for await (const { text = [], second = [] } of sequentialBatches(split, 256)) {
    yield* [...text, ...second] as string[]
  }
}

/** How texts are read, and what is made of them. */
interface Reading {
  tokens: number
  tokenizer: Tokenizer
  pool: 'first' | 'mean'
  /** What else is in the hash. */
  hashed?: unknown[]
}

/**
 * Examples whose `text`, with `second` behind it where they are pairs, is token ids `[batch, tokens]`, with `types`, the
 * segments, and `mask`, 0 at padding. Other parts are as they are.
 */
export function textExamples(dataset: FieldDataset, { tokens, tokenizer, pool, hashed = [] }: Reading): Examples {
  const { hash, fields, warnings, unreadable } = dataset
  const numbers = numbersOf(dataset)
  const vocabulary = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.textOf(id))
  const { input, ...beside } = textFields(tokens)
  const encoded = (text: unknown) => (typeof text === 'string' ? tokenizer.encode(text).ids : undefined)

  async function* onDevice(source: AsyncGenerator<FieldBatch>): AsyncGenerator<tf.NamedTensorMap> {
    for await (const batch of source) {
      const inputs = Array.from(batch.text as string[], (text, i) =>
        fitted(tokens, tokenizer.encode(text).ids, encoded(batch.second?.[i])),
      )
      const { input: text, ...rest } = textTensors(inputs, tokens)
      yield { text, ...rest, ...tensorsOf(batch, numbers) }
    }
  }

  return {
    hash: digest(JSON.stringify([hash, tokenizer.save(), tokens, ...hashed])),
    fields: { text: { ...input, classes: vocabulary }, ...beside, ...numbers },
    ...batchesOf(dataset, onDevice, (source, options) =>
      augmentedTokens(onDevice(source), { ...options, tokenizer, part: 'text' }),
    ),
    texts: async (split, indices) => {
      const { text = [], second } = await evaluated(dataset, split).read(indices)
      const names = second ? ['first', 'second'] : ['text']
      return indices.map((_, i) => names.map((name, at) => ({ name, text: String((at === 0 ? text : second)?.[i]) })))
    },
    warnings,
    unreadable,
    extras: textExtras(tokens),
    preparation: preparationOf(tokens, fields.second ? '[CLS] first [SEP] second [SEP]' : '[CLS] text [SEP]', pool),
    files: { 'tokenizer.json': tokenizer.save() },
  }
}
