import { describe, expect, it } from 'vitest'
import { gmlp } from '../../../engine/models/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { train } from '../../../engine/train/train.ts'
import { collect, toyModel, toyTask } from './toy.ts'

/** Trains for seven steps; logged every three, evaluated every five. */
async function metricsOf(task = toyTask()): Promise<{ name: string; step: number; value: number }[]> {
  const model = toyModel(gmlp)
  const recipe = resolveRecipe({ steps: 7, batch: 8, logEvery: 3, evalEvery: 5 })
  const events = await collect(train({ model, task, recipe, seed: 1 }))
  model.dispose()
  return events.flatMap((event) => (event.type === 'metric' ? [event] : []))
}

describe('timings', () => {
  it('come where a run is logged, and with each evaluation of each split', async () => {
    const metrics = await metricsOf({ ...toyTask(), tests: ['test', 'other'] })
    const steps = (wanted: string) => metrics.filter(({ name }) => name === wanted).map(({ step }) => step)
    expect(steps('train/step_ms')).toEqual([3, 6, 7])
    expect(steps('validation/examples_per_second')).toEqual([5, 7])
    expect(steps('test/examples_per_second')).toEqual([7])
    expect(steps('other/examples_per_second')).toEqual([7])
    for (const { name, value } of metrics) if (isTiming(name)) expect(value).toBeGreaterThan(0)
  })

  it('are all that differs from one run to the same again', async () => {
    const learned = async () => (await metricsOf()).filter(({ name }) => !isTiming(name))
    expect(await learned()).toEqual(await learned())
  })

  it.each([
    ['train/step_ms', true],
    ['mismatched/examples_per_second', true],
    ['train/loss', false],
    ['test/accuracy', false],
  ])('%s is one: %s', (name, is) => {
    expect(isTiming(name)).toBe(is)
  })
})
