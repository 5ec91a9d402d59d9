import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { mixer } from '../../../engine/models/index.ts'
import { crossEntropy } from '../../../engine/nn/losses.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { accumulating } from '../../../engine/train/accumulate.ts'
import { type Differentiator, differentiator } from '../../../engine/train/differentiate.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { smallBatch, smallModel } from '../compile/models.ts'
import { describeOnBoth } from './backends.ts'
import { collect, series, toyModel, toyTask } from './toy.ts'

it('counts the parts of all steps, and takes each example once', async () => {
  const taken: [number, number[]][] = []
  const whole: Differentiator = {
    run: async ({ input }, step) => {
      const values = [...(input as tf.Tensor).dataSync()]
      taken.push([step, values])
      return { loss: tf.scalar(values[0] ?? 0), gradients: { a: tf.tensor1d(values) } }
    },
    fallback: () => null,
    dispose: () => {},
  }
  const input = tf.tensor1d([1, 2, 3, 4, 5, 6])
  const { loss, gradients } = await accumulating(whole, 3).run({ input }, 2)
  expect(taken).toEqual([
    [6, [1, 2]],
    [7, [3, 4]],
    [8, [5, 6]],
  ])
  expect(loss.dataSync()[0]).toBeCloseTo(3, 5)
  expect(gradients.a?.dataSync()[1]).toBeCloseTo(4, 5)
  tf.dispose([input, loss, gradients])
})

type Values = Record<string, Float32Array>

/** Loss and gradients of a batch of 12, classes or soft targets, taken in so many parts. */
async function differentiated(parts: number, { block = mixer as Block, soft = false, step = 0 } = {}): Promise<Values> {
  const model = smallModel(block, 'image')
  const { input, target: classes } = smallBatch('image', 12)
  const target = soft ? tf.tidy(() => tf.add(tf.mul(tf.oneHot(classes, 11), 0.9), 0.1 / 11)) : tf.clone(classes)
  const whole = differentiator(model, ({ input, target }, mode) =>
    crossEntropy(model.apply(input as tf.Tensor, mode), target as tf.Tensor),
  )
  const { loss, gradients } = await accumulating(whole, parts).run({ input, target }, step)
  const values = Object.entries({ loss, ...gradients }).map(([name, tensor]) => [name, tensor.dataSync().slice()])
  tf.dispose([loss, gradients, input, classes, target])
  whole.dispose()
  model.dispose()
  return Object.fromEntries(values)
}

/**
 * Fails where a value differs by more than 1e-5 of the largest of its tensor. The bias of a token MLP has gradient 0, since
 * norms take a shift of all channels away again, and what it gets is rounding alone: hence the least size.
 */
function expectClose(found: Values, wanted: Values): void {
  expect(Object.keys(found)).toEqual(Object.keys(wanted))
  for (const [name, values] of Object.entries(wanted)) {
    const size = Math.max(...values.map(Math.abs), 1e-3)
    for (const [i, value] of values.entries()) {
      expect(Math.abs((found[name]?.[i] ?? Number.NaN) - value) / size, name).toBeLessThan(1e-5)
    }
  }
}

describeOnBoth('accumulation', () => {
  it.each([2, 3, 12])('of %i parts gives loss and gradients of the whole batch', async (parts) => {
    for (const soft of [false, true]) {
      expectClose(await differentiated(parts, { soft }), await differentiated(1, { soft }))
    }
  })
  it('of one part is none', () => {
    const whole = { run: () => Promise.reject(new Error('not here')), fallback: () => null, dispose: () => {} }
    expect(accumulating(whole, 1)).toBe(whole)
  })
  it('draws anew for each step', async () => {
    const block = mixer({ dropPath: 0.5, dropout: { hidden: 0.2 } })
    const at = (step: number) => differentiated(3, { block, step })
    const [first, second] = [await at(0), await at(1)]
    expect(await at(0)).toEqual(first)
    expect(second.loss).not.toEqual(first.loss)
  })
  it('trains as without, up to rounding', async () => {
    const losses = async (accumulate: number) => {
      const model = toyModel(mixer)
      const recipe = resolveRecipe({ steps: 6, batch: 12, accumulate, clip: 1, ema: 0.5 })
      const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
      model.dispose()
      return [...series(events, 'train/loss'), ...series(events, 'validation/loss')]
    }
    const [whole, parts] = [await losses(1), await losses(4)]
    for (const [i, loss] of whole.entries()) expect(parts[i]).toBeCloseTo(loss, 4)
  })
})
