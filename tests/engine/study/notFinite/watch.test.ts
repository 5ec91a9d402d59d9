import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { mixer } from '../../../../engine/models/index.ts'
import { watchStep } from '../../../../engine/study/notFinite/watch.ts'
import { whyNotFinite } from '../../../../engine/study/notFinite/why.ts'
import { sgd } from '../../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { toyModel, toyTask } from '../../train/toy.ts'

it('an infinity that is meant, as in a mask, is not where NaN comes from', () => {
  tf.tidy(() => {
    const watch = watchStep()
    try {
      const scores = tf.tensor2d([1, -1, 2, 3], [2, 2])
      const mask = tf.fill([2, 2], Number.NEGATIVE_INFINITY)
      const masked = tf.where(tf.tensor2d([true, false, true, true], [2, 2], 'bool'), scores, mask)
      expect(watch.originOf(tf.softmax(masked))).toBeNull()
      const bad = tf.log(scores)
      const { first, turned } = watch.originOf(tf.sum(tf.add(masked, bad))) ?? {}
      expect([first?.kernel, turned]).toEqual(['Log', null])
      expect(first?.inputs[0]).toMatchObject({ span: [-1, 3], nan: 0, infinite: 0 })
      expect(first?.result).toMatchObject({ nan: 1 })
    } finally {
      watch.end()
    }
  })
})

it('data that are not finite are told as such, with the example', async () => {
  const recipe = resolveRecipe({ steps: 5, batch: 4, optimizer: sgd({ learningRate: 0.1 }) })
  const training = { task: toyTask(2), recipe, seed: 1, make: async () => toyModel(mixer()) }
  const before = tf.memory().numTensors
  expect(await whyNotFinite(training, { step: 3, message: 'loss is NaN at step 3' })).toMatch(
    /^loss is NaN at step 3: the data is the first to give such a value: example 1 of the batch of step 3, input \[4, 8, 8, 1\], 256 NaN; at step 2 the loss was [\d.]+, the gradient norm [\d.]+; leave such examples out$/,
  )
  expect(tf.memory().numTensors).toBe(before)
})

it('what does not come again is said to have diverged', async () => {
  const recipe = resolveRecipe({ steps: 5, batch: 4, optimizer: sgd({ learningRate: 0.1 }) })
  const training = { task: toyTask(), recipe, seed: 1, make: async () => toyModel(mixer()) }
  expect(await whyNotFinite(training, { step: 2, message: 'loss is NaN at step 2' })).toBe(
    'loss is NaN at step 2: training diverged; try a learning rate below 0.1, warmup, or clip',
  )
})
