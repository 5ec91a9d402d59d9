import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { add, type BlockWith, batchNorm, block, dense, dropout, residual } from '../../../engine/nn/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { adamw, groups, lamb, sam, scheduleFree, sgd } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { train } from '../../../engine/train/train.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { sample } from '../../long.ts'
import { describeOnBoth } from './backends.ts'
import { collect, toyModel, toyTask } from './toy.ts'

const plain = block('plain', (x, { dim }) => residual(x, dense(x, dim)))
const dropping = block('dropping', (x, { dim }) => residual(x, dropout(dense(x, dim), 0.3)))
const normed = block('normed', (x, { dim }) => add(x, batchNorm(dense(x, dim))))

/** A state of weights and of a scalar, weights to evaluate that are others, and a second gradient. */
const OWN = groups([{ match: 'head', optimizer: scheduleFree() }, { optimizer: sam() }])

const base = { steps: 9, batch: 16, evalEvery: 4, logEvery: 3, evalExamples: 20, checkpointEvery: {} }

interface Trial {
  block?: BlockWith<object>
  state?: Uint8Array | undefined
  best?: Uint8Array | undefined
  /** Interrupted after so many steps. */
  until?: number
  poison?: number
}

/** Trains and returns the events, and the weights as they are then. */
async function trial(options: RecipeOptions, { block = plain, state, best, until, poison }: Trial = {}) {
  const model = toyModel(block({ dropPath: 0.3 }))
  const abort = new AbortController()
  const recipe = resolveRecipe({ ...base, ...options })
  const events: TrainEvent[] = []
  const given = { model, task: { ...toyTask(poison), metric: 'test/loss' }, recipe, seed: 1, signal: abort.signal }
  for await (const event of train({ ...given, state: async () => state ?? null, best: async () => best ?? null })) {
    events.push(event)
    if (event.type === 'step' && event.step === until) abort.abort()
  }
  const weights = await writeWeights(model.parameters)
  model.dispose()
  return { events, weights }
}

const checkpointsOf = (events: TrainEvent[]) => events.flatMap((event) => (event.type === 'checkpoint' ? [event] : []))
const stateOf = (events: TrainEvent[]) => checkpointsOf(events).findLast(({ state }) => state)?.state
const bestOf = (events: TrainEvent[]) => checkpointsOf(events).findLast(({ best }) => best)?.best
const metricsOf = (events: TrainEvent[]) =>
  events
    .flatMap((event) => (event.type === 'metric' && !isTiming(event.name) ? [event] : []))
    .map(({ name, step, value }) => `${name} ${step} ${value}`)
    .sort()

describeOnBoth('a training that goes on', (backend) => {
  const trainings: [string, RecipeOptions, BlockWith<object>, number[]][] = [
    ['lamb, clip, dropout and an average', { optimizer: lamb(), clip: 1, ema: 0.8 }, dropping, [1, 4, 8]],
    ['adamw, in parts and with layer decay', { optimizer: adamw(), accumulate: 2, layerDecay: 0.7 }, dropping, [3]],
    ['adamw and batch norm', { optimizer: adamw() }, normed, [5]],
    ['schedule-free and SAM in groups', { optimizer: OWN, clip: 1 }, normed, [4]],
    ['sgd, batch norm and an average', { optimizer: sgd({ nesterov: true }), ema: 0.5 }, normed, [6]],
  ]
  it.each(sample(trainings, backend, 2))(
    'is bit for bit the one without interruption: %s',
    async (_, options, block, interruptions) => {
      const whole = await trial(options, { block })
      for (const until of interruptions) {
        const first = await trial(options, { block, until })
        expect(first.events.at(-1)).toEqual({ type: 'interrupted', step: until })
        const second = await trial(options, { block, state: stateOf(first.events), best: bestOf(first.events) })
        expect(second.events[0]).toMatchObject({ type: 'start', resumedAt: until })
        expect(second.weights).toEqual(whole.weights)
        const [last, expected] = [second, whole].map(({ events }) => checkpointsOf(events).at(-1))
        expect(last?.weights).toEqual(expected?.weights)
        expect(metricsOf([...first.events, ...second.events])).toEqual(metricsOf(whole.events))
        const best = checkpointsOf([...first.events, ...second.events]).findLast((event) => event.best)?.best
        expect(best).toEqual(expected?.best)
      }
    },
  )
})

describe('checkpoints', () => {
  it('come every so many steps, at an interruption and at the end, with everything logged before', async () => {
    const { events } = await trial({ checkpointEvery: { steps: 4 } })
    expect(checkpointsOf(events).map(({ step, state }) => [step, state !== undefined])).toEqual([
      [4, true],
      [8, true],
      [9, false],
    ])
    const before = events.slice(
      0,
      events.findIndex(({ type }) => type === 'checkpoint'),
    )
    expect(metricsOf(before).map((line) => line.replace(/ [^ ]+$/, ''))).toEqual([
      ...[1, 2, 3, 4].map((step) => `train/loss ${step}`),
      'validation/accuracy 4',
      'validation/loss 4',
    ])
    const stopped = await trial({ checkpointEvery: { steps: 4 } }, { until: 4 })
    expect(checkpointsOf(stopped.events).map(({ step }) => step)).toEqual([4])
  })

  it('come by time, too, and never where neither is asked for', async () => {
    const often = await trial({ checkpointEvery: { seconds: 1e-9 } })
    expect(checkpointsOf(often.events).length).toBeGreaterThan(1)
    const never = await trial({})
    expect(checkpointsOf(never.events).map(({ step }) => step)).toEqual([9])
  })

  it('have the best weights when these changed, those of the smallest loss', async () => {
    const { events } = await trial({ checkpointEvery: { steps: 1 }, evalEvery: 3, optimizer: sgd({ learningRate: 2 }) })
    const losses = new Map(
      events.flatMap((event) =>
        event.type === 'metric' && event.name === 'validation/loss' ? [[event.step, event.value]] : [],
      ),
    )
    const files = checkpointsOf(events).map(({ step, weights, best }) => {
      if (best) expect(best).toEqual(weights)
      return [step, best !== undefined]
    })
    let least = Number.POSITIVE_INFINITY
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => {
      const better = (losses.get(step) ?? Number.POSITIVE_INFINITY) < least
      if (better) least = losses.get(step) ?? 0
      return [step, better]
    })
    expect(files).toEqual(expected)
  })

  it('are not taken before the first step, nor of a loss that is not finite', async () => {
    const model = toyModel(plain)
    const recipe = resolveRecipe(base)
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1, signal: AbortSignal.abort() }))
    model.dispose()
    expect(events.map(({ type }) => type)).toEqual(['start', 'interrupted'])
    const failed = await trial({ checkpointEvery: { steps: 5 } }, { poison: 4 })
    expect(checkpointsOf(failed.events)).toEqual([])
    expect(failed.events.at(-1)).toEqual({ type: 'failed', step: 5, message: 'loss is NaN at step 5' })
    const stopped = await trial({}, { poison: 4, until: 5 })
    expect(checkpointsOf(stopped.events)).toEqual([])
    expect(stopped.events.at(-1)).toMatchObject({ type: 'failed', step: 5 })
  })

  it('that cannot be used are warned of, and training starts anew', async () => {
    const whole = await trial({})
    const state = stateOf((await trial({}, { until: 5 })).events) as Uint8Array
    const other = await trial({ optimizer: sgd() }, { state })
    expect(other.events[0]).toMatchObject({ type: 'warning', message: expect.stringContaining('training starts anew') })
    const cut = await trial({}, { state: state.subarray(0, state.length - 4) })
    expect(cut.events.slice(0, 2)).toEqual([
      { type: 'warning', step: 0, message: expect.stringMatching(/^checkpoint: truncated: .*; training starts anew$/) },
      { type: 'start', steps: 9, parameters: expect.any(Number) },
    ])
    expect(cut.weights).toEqual(whole.weights)

    const model = toyModel(plain)
    const before = tf.memory().numTensors
    const lost = async () => Promise.reject(new Error('run 3: its checkpoint is missing'))
    const events = train({ model, task: toyTask(), recipe: resolveRecipe(base), seed: 1, state: lost })
    const { value } = await events.next()
    expect(value).toEqual({
      type: 'warning',
      step: 0,
      message: 'run 3: its checkpoint is missing; training starts anew',
    })
    await events.return(undefined)
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
  })
})
