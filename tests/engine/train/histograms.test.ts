import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { gmlp } from '../../../engine/models/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Histogram, histogramOf, normOf } from '../../../engine/records/histogram.ts'
import { sgd } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { snapshotSteps } from '../../../engine/train/snapshots.ts'
import { train } from '../../../engine/train/train.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { sample } from '../../long.ts'
import { describeOnBoth } from './backends.ts'
import { toyModel, toyTask } from './toy.ts'

type Of<Type extends TrainEvent['type']> = Extract<TrainEvent, { type: Type }>

const base = { steps: 5, batch: 16, evalEvery: 2, evalExamples: 20, optimizer: sgd({ learningRate: 0.1 }) }

/** Trains; the histograms, snapshots and checkpoints that come, each with the trained values of then. */
async function trial(options: RecipeOptions = {}) {
  const model = toyModel(gmlp)
  const recipe = resolveRecipe({ ...base, ...options })
  const before = tf.memory().numTensors
  const events: TrainEvent[] = []
  const seen: [TrainEvent, Map<string, ArrayLike<number>>][] = []
  for await (const event of train({ model, task: toyTask(), recipe, seed: 1 })) {
    events.push(event)
    if (event.type === 'histograms')
      seen.push([event, new Map(model.trained.map(({ name, variable }) => [name, variable.dataSync()]))])
  }
  expect(tf.memory().numTensors).toBe(before)
  const weights = await writeWeights(model.parameters)
  model.dispose()
  const of = <Type extends TrainEvent['type']>(type: Type) =>
    events.filter((event) => event.type === type) as Of<Type>[]
  return { events, of, seen, weights }
}

describeOnBoth('histograms', (backend) => {
  it('tell of the weights at each evaluation, and leave no tensor behind', async () => {
    const { of, seen } = await trial()
    expect(of('histograms').map(({ step }) => step)).toEqual([2, 4, 5])
    for (const [event, values] of seen) {
      const { weights, gradients } = event as Of<'histograms'>
      expect(Object.keys(gradients)).toEqual([...values.keys()])
      for (const [name, own] of values) expect(weights[name]).toMatchObject(histogramOf(own))
    }
  })

  it('tell of how far the step went, of each parameter', async () => {
    // with plain gradient descent it is the learning rate times the gradient
    const { of } = await trial({ optimizer: sgd({ learningRate: 0.1, momentum: 0 }), schedule: 'constant', warmup: 0 })
    for (const { weights, gradients } of of('histograms')) {
      for (const [name, { update }] of Object.entries(weights)) {
        const gradient = normOf(gradients[name] as Histogram) as number
        expect(Math.abs((update as number) - 0.1 * gradient)).toBeLessThan(1e-6 + 1e-3 * gradient)
      }
    }
  })

  const trainings: [string, RecipeOptions][] = [
    ['plain', {}],
    ['clipped', { clip: 1e-3 }],
    ['in parts', { accumulate: 2 }],
    ['averaged', { ema: 0.5 }],
  ]
  it.each(sample(trainings, backend, 2))(
    'have the gradients before clipping and change nothing: %s',
    async (_, options) => {
      const { of, weights } = await trial(options)
      const without = await trial({ ...options, histograms: false })
      expect(without.of('histograms')).toEqual([])
      expect(weights).toEqual(without.weights)
      const first = of('histograms')[0]?.gradients['head.weight']
      expect(first?.sd).toBeGreaterThan(1e-3)
    },
  )

  it('are of the training that goes on, where nobody listens any more, too', async () => {
    const model = toyModel(gmlp)
    const before = tf.memory().numTensors
    for await (const event of train({ model, task: toyTask(), recipe: resolveRecipe(base), seed: 1 })) {
      if (event.type === 'step' && event.step === 2) break // the gradients are held
    }
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
  })
})

describeOnBoth('snapshots', () => {
  it('are the weights from the initial ones on, and change nothing', async () => {
    const { of, weights } = await trial({ snapshots: 2 })
    expect(of('snapshot').map(({ step }) => step)).toEqual([0, 2])
    const model = toyModel(gmlp)
    expect(of('snapshot')[0]?.weights).toEqual(await writeWeights(model.parameters))
    model.dispose()
    expect((await trial()).weights).toEqual(weights)
    const short = await trial({ steps: 2, snapshots: 1 })
    expect(short.of('snapshot')[0]?.weights).toEqual(of('snapshot')[0]?.weights)
  })
  it('come before the checkpoint of their step, so that going on misses none', async () => {
    const { events } = await trial({ snapshots: 5, checkpointEvery: { steps: 2 } })
    const kept = events.flatMap((event) =>
      event.type === 'snapshot' || event.type === 'checkpoint' ? [`${event.type} ${event.step}`] : [],
    )
    expect(kept).toEqual([
      ...['snapshot 0', 'snapshot 1', 'snapshot 2', 'checkpoint 2', 'snapshot 3', 'snapshot 4', 'checkpoint 4'],
      'checkpoint 5',
    ])
  })
})

it('snapshots are evenly spaced before the end; more than steps is one each', () => {
  expect([...snapshotSteps(0, 10)]).toEqual([])
  expect([...snapshotSteps(3, 10)]).toEqual([0, 3, 6])
  expect([...snapshotSteps(7, 3)]).toEqual([0, 1, 2])
  for (const [options, message] of [
    [{ snapshots: -1 }, 'train.snapshots: -1, expected at least 0'],
    [{ snapshots: 1.5 }, 'train.snapshots'],
    [{ histograms: 3 }, 'train.histograms'],
  ] as [RecipeOptions, string][])
    expect(() => resolveRecipe(options)).toThrow(message)
})
