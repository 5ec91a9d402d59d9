import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { add, block, dense } from '../../../engine/nn/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Checkpointer, createCheckpointer } from '../../../engine/train/checkpointer.ts'
import { movingAverage } from '../../../engine/train/ema.ts'
import { optimizerKind, sgd } from '../../../engine/train/optimizers/index.ts'
import type { CheckpointEvery } from '../../../engine/train/recipe.ts'
import type { TrainingState } from '../../../engine/train/state.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { ACCURACY } from '../../meanings.ts'
import { toyModel } from './toy.ts'

const tiny = block('tiny', (x, { dim }) => add(x, dense(x, dim)))

let now = 0
afterEach(() => vi.restoreAllMocks())

interface Options {
  every?: CheckpointEvery
  files?: Record<string, string>
}

/** Runs `body` with the checkpoints of a model in training, by a clock that only `now` moves. */
async function withCheckpoints(
  { every = {}, files = {} }: Options,
  body: (saves: Checkpointer, trained: TrainingState) => Promise<void>,
): Promise<void> {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const model = toyModel(tiny)
  const kind = optimizerKind('sgd')
  const optimizer = kind.create(kind.resolve(sgd().options), model.trained)
  const average = movingAverage(model.parameters, undefined)
  const trained = { model, optimizer, average }
  try {
    await body(createCheckpointer(trained, every, { files }), trained)
  } finally {
    for (const each of [average, optimizer, model]) each.dispose()
  }
}

type Checkpoint = Extract<TrainEvent, { type: 'checkpoint' }>

/** The one event of a checkpoint; writing it takes `ms`. */
async function taken(saves: Checkpointer, step: number, { last = false, ms = 0 } = {}): Promise<Checkpoint> {
  const events: TrainEvent[] = []
  for await (const event of saves.saveCheckpoint(step, last)) {
    events.push(event)
    now += ms
  }
  expect(events).toMatchObject([{ type: 'checkpoint', step }])
  return events[0] as Checkpoint
}

const move = ({ model }: TrainingState, by: number) =>
  tf.tidy(() => {
    for (const { variable } of model.parameters) variable.assign(tf.add(variable, by))
  })

describe('a checkpoint', () => {
  it('is due after so many seconds', async () => {
    await withCheckpoints({ every: { seconds: 30 } }, async (saves) => {
      now = 29_999
      expect(saves.due(5)).toBe(false)
      now = 30_000
      expect(saves.due(5)).toBe(true)
      await taken(saves, 5)
      expect(saves.due(6)).toBe(false)
      now += 30_000
      expect(saves.due(6)).toBe(true)
    })
  })

  it('is due by either, and never by none', async () => {
    await withCheckpoints({ every: { steps: 4, seconds: 30 } }, async (saves) => {
      expect([4, 5].map(saves.due)).toEqual([true, false])
      now = 30_000
      expect(saves.due(5)).toBe(true)
    })
    await withCheckpoints({}, async (saves) => {
      now = 1e12
      expect(saves.due(4)).toBe(false)
    })
  })

  it('waits a hundred times as long as the last one took', async () => {
    await withCheckpoints({ every: { seconds: 30 } }, async (saves) => {
      await taken(saves, 1, { ms: 1000 })
      now += 99_999
      expect(saves.due(2)).toBe(false)
      now += 1
      expect(saves.due(2)).toBe(true)
      await taken(saves, 2, { ms: 10 })
      now += 30_000
      expect(saves.due(3)).toBe(true)
    })
  })

  it('has the weights of then, the files of the task, and what training needs to go on unless it is the last', async () => {
    await withCheckpoints({ files: { 'tokenizer.json': '{}' } }, async (saves, trained) => {
      const first = await taken(saves, 3)
      expect(first.weights).toEqual(await writeWeights(trained.model.parameters, { 'tokenizer.json': '{}' }))
      expect(Object.values(readSafetensors(first.weights).metadata)).toContain('{}')
      expect(first.state).toBeInstanceOf(Uint8Array)
      expect(saves.savedStep).toBe(3)
      expect('state' in (await taken(saves, 4, { last: true }))).toBe(false)
      const { value } = await saves.saveCheckpoint(5).next()
      expect(value).toHaveProperty('state')
      const snapshot = await saves.snapshot(4)
      expect(snapshot).toEqual({ type: 'snapshot', step: 4, weights: first.weights })
    })
  })
})

describe('the best weights', () => {
  it.each([
    ['higher', [0.5, 0.4, 0.5, 0.6], [1, 4]],
    ['lower', [0.5, 0.6, 0.5, 0.4], [1, 4]],
  ] as const)(
    'where %s is better are those of the first and of better evaluations',
    async (better, values, expected) => {
      await withCheckpoints({}, async (saves, trained) => {
        const kept: number[] = []
        for (const [i, value] of values.entries()) {
          move(trained, 1)
          await saves.updateBest(i + 1, { value, meaning: { better } })
          const { best, weights } = await taken(saves, i + 1)
          if (!best) continue
          expect(best).toEqual(weights)
          kept.push(i + 1)
        }
        expect(kept).toEqual(expected)
      })
    },
  )

  it('are kept until a checkpoint takes them, and given once', async () => {
    await withCheckpoints({}, async (saves, trained) => {
      await saves.updateBest(1, { value: 0.5, meaning: ACCURACY })
      const best = await writeWeights(trained.model.parameters)
      move(trained, 1)
      const later = await taken(saves, 2)
      expect([later.best, later.bestStep]).toEqual([best, 1])
      expect(later.weights).not.toEqual(best)
      expect('best' in (await taken(saves, 3))).toBe(false)
    })
  })

  it('are those that are chosen, and the model has its own again', async () => {
    await withCheckpoints({}, async (saves, { model, ...trained }) => {
      const weights = () => writeWeights(model.parameters)
      const first = await weights()
      expect(await saves.withBestWeights(9, async (step) => [step, await weights()])).toEqual([9, first])
      await saves.updateBest(2, { value: 0.5, meaning: ACCURACY })
      move({ model, ...trained }, 1)
      await saves.updateBest(3, { value: 0.4, meaning: ACCURACY })
      const last = await weights()
      const tensors = tf.memory().numTensors
      expect(await saves.withBestWeights(9, async (step) => [step, await weights()])).toEqual([2, first])
      expect(await weights()).toEqual(last)
      const failing = saves.withBestWeights(9, () => Promise.reject(new Error('no data')))
      await expect(failing).rejects.toThrow('no data')
      expect(await weights()).toEqual(last)
      expect(tf.memory().numTensors).toBe(tensors)
    })
  })

  it('are none of an evaluation that gave no number', async () => {
    await withCheckpoints({}, async (saves) => {
      await saves.updateBest(1, undefined)
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
        await saves.updateBest(1, { value, meaning: ACCURACY })
      expect('best' in (await taken(saves, 1))).toBe(false)
    })
  })
})

describe('going on', () => {
  it('knows the steps done and the best value of before', async () => {
    let state: Uint8Array | undefined
    let best: Uint8Array | undefined
    await withCheckpoints({}, async (saves) => {
      await saves.updateBest(2, { value: 0.5, meaning: ACCURACY })
      ;({ state, best } = await taken(saves, 3))
    })
    await withCheckpoints({}, async (saves) => {
      expect(
        await saves.restore(
          async () => state ?? null,
          async () => best ?? null,
        ),
      ).toEqual({ step: 3, warning: null })
      expect(saves.savedStep).toBe(3)
      await saves.updateBest(4, { value: 0.4, meaning: ACCURACY })
      expect('best' in (await taken(saves, 4))).toBe(false)
      await saves.updateBest(5, { value: 0.6, meaning: ACCURACY })
      expect('best' in (await taken(saves, 5))).toBe(true)
    })
  })
})
