import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { augmentation } from '../../../../engine/data/augment/augmentation.ts'
import type { ChangeExample } from '../../../../engine/data/augment/definition.ts'
import { augmentedTokens } from '../../../../engine/tasks/text/augmentedTokens.ts'
import type { Batch } from '../../../../engine/tasks/types.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'

const tokenizer = { size: 9, textOf: String }
/** [CLS] 5 6 [MASK] 7 [SEP] and padding, again and again. */
async function* texts(): AsyncGenerator<Batch> {
  while (true) yield { input: tf.tensor2d([[2, 5, 6, 4, 7, 3, 0]], undefined, 'int32'), mask: tf.ones([1, 7]) }
}

async function taken(change: ChangeExample): Promise<number[]> {
  const before = tf.memory().numTensors
  const recipe = resolveRecipe({ augment: { own: [augmentation('own', { part: 'tokens', change })] } })
  const batches = augmentedTokens(texts(), { tokenizer, recipe, seed: 1, from: 0 })
  const { value } = await batches.next()
  await batches.return(undefined)
  const ids = [...(value as Batch).input.dataSync()]
  tf.dispose(value as Batch)
  expect(tf.memory().numTensors).toBe(before)
  return ids
}

it('changes tokens of texts, and neither special ones nor padding', async () => {
  expect(await taken(({ values }) => values.fill(1))).toEqual([2, 1, 1, 4, 1, 3, 0])
  expect(await taken(({ values }) => values.fill(8, 0, 3))).toEqual([2, 8, 8, 4, 7, 3, 0])
})

it('refuses tokens that the vocabulary does not have', async () => {
  const recipe = resolveRecipe({ augment: { own: [augmentation('own', ({ values }) => values.fill(9))] } })
  const batches = augmentedTokens(texts(), { tokenizer, recipe, seed: 1, from: 0 })
  await expect(batches.next()).rejects.toThrow("augmentation 'own': gave 9, expected whole numbers from 0 to 8")
})
