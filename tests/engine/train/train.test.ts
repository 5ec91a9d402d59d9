import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { gmlp, mixer } from '../../../engine/models/index.ts'
import { add, block, dense, ones, parameter } from '../../../engine/nn/index.ts'
import type { Model } from '../../../engine/nn/model.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { adamw, lamb, sgd } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { sample } from '../../long.ts'
import { collect, series, toyModel, toyTask } from './toy.ts'

const recipe = resolveRecipe({ steps: 30, batch: 16, optimizer: adamw({ learningRate: 5e-3 }), evalEvery: 15 })

const tiny = block('tiny', (x, { dim }) => add(x, dense(x, dim)))

afterEach(() => vi.restoreAllMocks())

describe('the events of a training', () => {
  const STEP = ['train/loss', 'train/gradient_norm']
  const MEASURED = ['loss', 'accuracy', 'examples_per_second']
  const EVAL = [...MEASURED.map((name) => `validation/${name}`), 'train/memory_bytes']
  const LOGGED = ['train/step_ms', 'train/wait_ms', 'train/learning_rate']
  const TEST = ['chosen/step', ...MEASURED.map((name) => `test/${name}`)]
  const options = { steps: 7, batch: 4, logEvery: 3, evalEvery: 5, evalExamples: 8, checkpointEvery: { steps: 4 } }

  /** What happens, a word an event: its type or the name of a metric, and its step. */
  async function told(more: RecipeOptions = {}, { poison = -1, until = -1 } = {}): Promise<string[]> {
    const model = toyModel(tiny)
    const abort = new AbortController()
    const recipe = resolveRecipe({ ...options, ...more })
    const words: string[] = []
    for await (const event of train({ model, task: toyTask(poison), recipe, seed: 1, signal: abort.signal })) {
      words.push(`${event.type === 'metric' ? event.name : event.type} ${event.type === 'start' ? '' : event.step}`)
      if (event.type === 'step' && event.step === until) abort.abort()
    }
    model.dispose()
    return words
  }
  const at = (step: number, ...names: string[]) => names.map((name) => `${name} ${step}`)

  it('come in order: readings before the step or the checkpoint that they are read for', async () => {
    expect(await told({ clip: 1, snapshots: 2 })).toEqual([
      ...['start ', 'snapshot 0', 'step 1', 'step 2'],
      ...[...at(1, ...STEP), ...at(2, ...STEP), ...at(3, ...STEP, 'step', ...LOGGED, 'snapshot')],
      ...at(4, ...STEP, 'step', 'checkpoint'),
      ...at(5, ...STEP, 'step', 'histograms', ...EVAL),
      ...at(6, ...STEP, 'step', ...LOGGED),
      ...at(7, ...STEP, 'step', ...LOGGED, 'histograms', ...EVAL, ...TEST, 'checkpoint', 'done'),
    ])
  })
  it('have no norm without a limit, no histograms and snapshots where they are off', async () => {
    expect(await told({ steps: 2, logEvery: 2, histograms: false, checkpointEvery: {} })).toEqual([
      ...['start ', 'step 1', 'train/loss 1', ...at(2, 'train/loss', 'step', ...LOGGED, ...EVAL)],
      ...at(2, ...TEST, 'checkpoint', 'done'),
    ])
  })
  it('end at a loss that is not finite, as soon as it is read', async () => {
    expect(await told({ checkpointEvery: {} }, { poison: 1 })).toEqual([
      ...['start ', 'step 1', 'step 2', 'train/loss 1', ...at(2, 'train/loss', 'failed')],
    ])
  })
  it('end with what was not read, and a checkpoint, where it is interrupted', async () => {
    expect(await told({}, { until: 2 })).toEqual([
      ...['start ', 'step 1', 'step 2', 'train/loss 1', ...at(2, 'train/loss', 'checkpoint', 'interrupted')],
    ])
    expect((await told({}, { until: 4 })).slice(-3)).toEqual(at(4, 'step', 'checkpoint', 'interrupted'))
    expect((await told({}, { until: 2, poison: 1 })).at(-1)).toBe('failed 2')
  })
  it('have the mean time of the steps since the last', async () => {
    const model = toyModel(tiny)
    const events = await collect(train({ model, task: toyTask(), recipe: resolveRecipe(options), seed: 1 }))
    model.dispose()
    const times = events.flatMap((event) => (event.type === 'step' ? [event.ms] : []))
    const means = [times.slice(0, 3), times.slice(3, 6), times.slice(6)].map(
      (some) => some.reduce((sum, ms) => sum + ms, 0) / some.length,
    )
    expect(series(events, 'train/step_ms')).toEqual(means)
    expect(Math.min(...times)).toBeGreaterThan(0)
  })
  it('have the time of the steps alone', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const task = toyTask()
    const slow: Task = {
      ...task,
      trainBatches: async function* (...given) {
        for await (const batch of task.trainBatches(...given)) {
          now += 5
          yield batch
        }
      },
      evalBatches: async function* (...given) {
        now += 1000
        yield* task.evalBatches(...given)
      },
    }
    const model = toyModel(tiny)
    const times: number[] = []
    const recipe = resolveRecipe({ ...options, snapshots: 2 })
    for await (const event of train({ model, task: slow, recipe, seed: 1 })) {
      if (event.type === 'step') times.push(event.ms)
      if (event.type === 'snapshot' || event.type === 'checkpoint') now += 1000
    }
    model.dispose()
    expect(times).toEqual(Array(7).fill(5))
  })
  it('have a report of the test', async () => {
    const task: Task = {
      ...toyTask(),
      report: () => ({ add: () => {}, value: () => ({ kind: 'maskedTokens', texts: [] }) }),
    }
    const model = toyModel(tiny)
    const events = await collect(train({ model, task, recipe: resolveRecipe({ ...options, steps: 6 }), seed: 1 }))
    model.dispose()
    expect(events.filter(({ type }) => type === 'report')).toEqual([
      { type: 'report', step: 6, report: { test: { kind: 'maskedTokens', texts: [] } } },
    ])
  })
  it('have the gradients of their step, and a state in all checkpoints but the last', async () => {
    const model = toyModel(tiny)
    const recipe = resolveRecipe({ ...options, steps: 4, checkpointEvery: { steps: 2 }, evalEvery: 2 })
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    const names = model.trained.map(({ name }) => name)
    model.dispose()
    const spreads = events.flatMap((event) => (event.type === 'histograms' ? [Object.keys(event.gradients)] : []))
    expect(spreads).toEqual([names, names])
    const saved = events.flatMap((event) => (event.type === 'checkpoint' ? [[event.step, 'state' in event]] : []))
    expect(saved).toEqual([
      [2, true],
      [4, false],
    ])
  })
  it('go on where only the norm of the gradients is not finite', async () => {
    const task: Task = { ...toyTask(), loss: (logits) => tf.mul(tf.sum(logits), 1e30) }
    const model = toyModel(tiny)
    const events = await collect(train({ model, task, recipe: resolveRecipe({ steps: 2, clip: 1 }), seed: 1 }))
    model.dispose()
    expect(series(events, 'train/gradient_norm')).toContain(Number.POSITIVE_INFINITY)
    expect(events.at(-1)?.type).toBe('done')
  })
  it('come from the batches of the seed and the recipe, drawn by the updates done', async () => {
    const asked: unknown[] = []
    const steps: (number | undefined)[] = []
    const whole = toyTask()
    const task: Task = {
      ...whole,
      trainBatches: (...given) => {
        asked.push(given)
        return whole.trainBatches(...given)
      },
      predict: (model, { input }, mode) => {
        if (mode.training) steps.push(mode.step)
        return model.apply(input, mode)
      },
    }
    const model = toyModel(tiny)
    const recipe = resolveRecipe({ ...options, steps: 3 })
    const spawnAugmenter = () => Promise.reject(new Error('not here'))
    await collect(train({ model, task, recipe, seed: 5, spawnAugmenter }))
    model.dispose()
    expect(asked).toEqual([[4, 5, 0, { recipe, spawnAugmenter: expect.any(Function) }]])
    expect(steps).toEqual([0, 1, 2])
  })
  it('go on after the last checkpoint, without another beginning', async () => {
    const model = toyModel(tiny)
    const given = { model, task: toyTask(), recipe: resolveRecipe({ ...options, snapshots: 7 }), seed: 1 }
    const whole = await collect(train(given))
    const state = whole.flatMap((event) => (event.type === 'checkpoint' && event.state ? event.state : []))[0]
    const rest = await collect(train({ ...given, state: async () => state ?? null }))
    model.dispose()
    const { size } = model
    expect(whole[0]).toEqual({ type: 'start', steps: 7, parameters: size })
    expect(rest[0]).toEqual({ type: 'start', steps: 7, parameters: size, resumedAt: 4 })
    const steps = (type: string) =>
      rest.flatMap((event) => (event.type === type && 'step' in event ? [event.step] : []))
    expect([steps('step'), steps('snapshot')]).toEqual([
      [5, 6, 7],
      [5, 6],
    ])
    expect(series(rest, 'train/loss')).toEqual(series(whole, 'train/loss').slice(4))
  })
  it('refuse data that end', async () => {
    const model = toyModel(tiny)
    const task: Task = { ...toyTask(), trainBatches: async function* () {} }
    const events = collect(train({ model, task, recipe: resolveRecipe(options), seed: 1 }))
    await expect(events).rejects.toThrow('the training data ended')
    model.dispose()
  })
})

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
    expect(series(events, 'validation/accuracy')).toHaveLength(2)
    expect(series(events, 'validation/accuracy').at(-1)).toBeGreaterThan(0.9)
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
    const checkpoint = events.findLast((event) => event.type === 'checkpoint')
    const names = readSafetensors(checkpoint?.weights ?? new Uint8Array()).tensors.map(({ name }) => name)
    expect(names).toEqual(model.parameters.map(({ name }) => name))
    model.dispose()
  })
})

/** All values of a model, in the order of its weights file. */
const weightsOf = async (model: Model) => valuesIn(await writeWeights(model.parameters))
const valuesIn = (weights: Uint8Array) => readSafetensors(weights).tensors.flatMap(({ values }) => Array.from(values))
const norm = (values: number[]) => Math.hypot(...values)

/** Trains a new model and returns its weights before and after, those of the checkpoint, and all events. */
async function trained(options: RecipeOptions, task = toyTask()) {
  const model = toyModel(gmlp)
  const before = await weightsOf(model)
  const events = await collect(train({ model, task, recipe: resolveRecipe({ batch: 16, ...options }), seed: 1 }))
  const after = await weightsOf(model)
  model.dispose()
  const saved = events.flatMap((event) => (event.type === 'checkpoint' ? valuesIn(event.weights) : []))
  return { before, after, saved, events }
}

describe('train with parameters that no gradient reaches', () => {
  it('leaves them to the model, and saves them', async () => {
    const shifted = block('shifted', (x, { dim }) =>
      add(dense(x, dim), parameter('shift', [dim], ones, { trained: false })),
    )
    const model = toyModel(shifted)
    const options = { ...recipe, steps: 3, ema: 0.5 }
    const events = await collect(train({ model, task: toyTask(), recipe: options, seed: 1 }))
    const saved = events.flatMap((event) => (event.type === 'checkpoint' ? readSafetensors(event.weights).tensors : []))
    expect(saved.find(({ name }) => name === 'blocks.0.shift')?.values).toEqual(new Float32Array(8).fill(1))
    expect(model.parameters.length - model.trained.length).toBe(2)
    model.dispose()
  })
  it('refuses one that is to be trained, by its name', async () => {
    const idle = block('idle', (x, { dim }) => {
      parameter('idle', [dim], ones)
      return dense(x, dim)
    })
    const model = toyModel(idle)
    const training = collect(train({ model, task: toyTask(), recipe: resolveRecipe({ steps: 2 }), seed: 1 }))
    await expect(training).rejects.toThrow('blocks.0.idle: the loss does not depend on it; leave out what makes it')
    model.dispose()
  })
})

describe('train with everything on', () => {
  const optimizers = [
    ['lamb', lamb({ learningRate: 0.1 })],
    ['sgd', sgd({ learningRate: 5e-2, nesterov: true })],
    ['adamw', adamw({ learningRate: 5e-3, eps: 1e-6 })],
  ] as const
  it.each(sample(optimizers))('lowers the loss with %s', async (_, optimizer) => {
    const { events, after, saved } = await trained({
      steps: 30,
      optimizer,
      schedule: 'linear',
      warmup: 3,
      floor: 0,
      noDecay: ['norm', 'stem.proj.weight'],
      clip: 1,
      ema: 0.8,
    })
    expect(events.at(-1)).toEqual({ type: 'done', step: 30 })
    const losses = series(events, 'train/loss')
    expect(losses).toHaveLength(30)
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 2)
    expect(series(events, 'validation/accuracy').at(-1)).toBeGreaterThan(0.9)
    expect(series(events, 'train/gradient_norm')).toHaveLength(30)
    expect(Math.min(...series(events, 'train/gradient_norm'))).toBeGreaterThan(0)
    expect(saved).not.toEqual(after)
  })
})

describe('train with clip', () => {
  const step = {
    steps: 1,
    schedule: 'constant',
    optimizer: sgd({ learningRate: 0.5, momentum: 0, weightDecay: 0 }),
  } as const
  it('goes as far as the limit allows, and reports the norm before', async () => {
    const free = await trained(step)
    expect(series(free.events, 'train/gradient_norm')).toEqual([])
    const gradient = norm(free.after.map((value, i) => value - (free.before[i] ?? 0))) / 0.5
    const limit = gradient / 4
    const { before, after, events } = await trained({ ...step, clip: limit })
    expect(norm(after.map((value, i) => value - (before[i] ?? 0)))).toBeCloseTo(0.5 * limit, 4)
    expect(series(events, 'train/gradient_norm')[0]).toBeCloseTo(gradient, 4)
  })
})

describe('train with a schedule', () => {
  it('goes as far as the learning rate of the step says', async () => {
    const optimizer = sgd({ learningRate: 0.5, momentum: 0, weightDecay: 0 })
    const moved = async (warmup: number) => {
      const { before, after } = await trained({ steps: 1, optimizer, warmup })
      return norm(after.map((value, i) => value - (before[i] ?? 0)))
    }
    const [whole, half, quarter] = [await moved(0), await moved(2), await moved(4)]
    expect(half / whole).toBeCloseTo(0.5, 4)
    expect(quarter / whole).toBeCloseTo(0.25, 4)
  })
})

describe('train with ema', () => {
  it('saves and evaluates the average, and trains the same weights as without', async () => {
    const options = { steps: 1, optimizer: sgd({ learningRate: 2 }) }
    const plain = await trained(options)
    const averaged = await trained({ ...options, ema: 0.75 })
    expect(averaged.after).toEqual(plain.after)
    const expected = plain.before.map((value, i) => 0.75 * value + 0.25 * (plain.after[i] ?? 0))
    expect(averaged.saved).toHaveLength(expected.length)
    for (const [i, value] of expected.entries()) expect(averaged.saved[i]).toBeCloseTo(value, 6)
    expect(series(averaged.events, 'train/loss')).toEqual(series(plain.events, 'train/loss'))
    expect(series(averaged.events, 'validation/loss')).not.toEqual(series(plain.events, 'validation/loss'))
  })
  it('leaves the trained weights in the model when interrupted', async () => {
    const interrupted = async (ema: { ema?: number }) => {
      const model = toyModel(gmlp)
      const abort = new AbortController()
      const options = { ...recipe, ...ema, evalEvery: 2 }
      for await (const event of train({ model, task: toyTask(), recipe: options, seed: 1, signal: abort.signal })) {
        if (event.type === 'metric' && event.name === 'validation/loss') abort.abort()
      }
      const weights = await weightsOf(model)
      model.dispose()
      return weights
    }
    expect(await interrupted({ ema: 0.9 })).toEqual(await interrupted({}))
  })
  it('leaves the trained weights in the model when evaluation fails', async () => {
    const task = toyTask()
    const broken = {
      ...task,
      evalBatches: () => {
        throw new Error('no data')
      },
    }
    const weightsAfter = async (ema: { ema?: number }) => {
      const model = toyModel(gmlp)
      const before = tf.memory().numTensors
      const events = train({ model, task: broken, recipe: { ...recipe, ...ema, evalEvery: 2 }, seed: 1 })
      await expect(collect(events)).rejects.toThrow('no data')
      expect(tf.memory().numTensors).toBe(before)
      const weights = await weightsOf(model)
      model.dispose()
      return weights
    }
    expect(await weightsAfter({ ema: 0.9 })).toEqual(await weightsAfter({}))
  })
})

describe('train with noDecay', () => {
  const options = { steps: 2, optimizer: sgd({ learningRate: 0.1, weightDecay: 0.5 }) }
  it('is the same as no weight decay when it names everything that has some', async () => {
    const exempt = await trained({ ...options, noDecay: ['weight'] })
    const without = await trained({ ...options, optimizer: sgd({ learningRate: 0.1, weightDecay: 0 }) })
    expect(exempt.after).toEqual(without.after)
    expect(exempt.after).not.toEqual((await trained(options)).after)
  })
  it('refuses a name that no parameter has, before it trains', async () => {
    const model = toyModel(gmlp)
    const before = tf.memory().numTensors
    const events = collect(train({ model, task: toyTask(), recipe: { ...recipe, noDecay: ['fc3'] }, seed: 1 }))
    await expect(events).rejects.toThrow("train.noDecay: no parameter is called 'fc3' (did you mean 'fc1'?)")
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
  })
})
