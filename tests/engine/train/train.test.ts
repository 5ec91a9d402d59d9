import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp, mixer } from '../../../engine/models/index.ts'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { collect, series, toyModel, toyTask } from './toy.ts'

const recipe = resolveRecipe({ steps: 30, batch: 16, optimizer: adamw({ learningRate: 5e-3 }), evalEvery: 15 })

describe.each([
  ['gmlp', gmlp],
  ['mixer', mixer],
])('training %s', (_, block) => {
  it('lowers the loss, reports every step and leaves no tensor behind', async () => {
    const model = toyModel(block)
    const before = tf.memory().numTensors
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()

    const losses = series(events, 'train/loss')
    expect(losses).toHaveLength(30)
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 2)
    expect(series(events, 'eval/accuracy')).toHaveLength(2)
    expect(series(events, 'eval/accuracy').at(-1)).toBeGreaterThan(0.9)
    expect(events[0]).toMatchObject({ type: 'start', steps: 30, parameters: model.size })
    expect(events.filter(({ type }) => type === 'step')).toHaveLength(30)
    expect(events.at(-1)).toEqual({ type: 'done', step: 30 })
  })
})

describe('train', () => {
  it('gives the same losses for the same seed, and others for another', async () => {
    const losses = async (seed: number) => {
      const model = toyModel(gmlp, seed)
      const events = await collect(train({ model, task: toyTask(), recipe: { ...recipe, steps: 5 }, seed }))
      model.dispose()
      return series(events, 'train/loss')
    }
    const first = await losses(1)
    expect(await losses(1)).toEqual(first)
    expect(await losses(2)).not.toEqual(first)
  })
  it('fails with the step at which the loss is not finite', async () => {
    const model = toyModel(gmlp)
    const events = await collect(train({ model, task: toyTask(12), recipe, seed: 1 }))
    model.dispose()
    expect(events.at(-1)).toEqual({ type: 'failed', step: 13, message: 'loss is NaN at step 13' })
  })
  it('stops between steps when aborted', async () => {
    const model = toyModel(gmlp)
    const abort = new AbortController()
    const types: string[] = []
    for await (const event of train({ model, task: toyTask(), recipe, seed: 1, signal: abort.signal })) {
      if (event.type === 'step' && event.step === 7) abort.abort()
      types.push(`${event.type} ${'step' in event ? event.step : ''}`)
    }
    model.dispose()
    expect(types.at(-1)).toBe('interrupted 7')
  })
  it('leaves no tensor behind when nobody listens any more', async () => {
    const model = toyModel(gmlp)
    const before = tf.memory().numTensors
    for await (const event of train({ model, task: toyTask(), recipe, seed: 1 })) if (event.type === 'step') break
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
  })
  it('ends with weights under the names of the model', async () => {
    const model = toyModel(mixer)
    const events = await collect(train({ model, task: toyTask(), recipe: { ...recipe, steps: 2 }, seed: 1 }))
    const checkpoint = events.find((event) => event.type === 'checkpoint')
    const names = readSafetensors(checkpoint?.weights ?? new Uint8Array()).tensors.map(({ name }) => name)
    expect(names).toEqual(model.parameters.map(({ name }) => name))
    model.dispose()
  })
})
