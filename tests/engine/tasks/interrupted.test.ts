import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { dataset, noisyLabels, permuted, scenes, seasons, world } from '../../../engine/data/index.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { clm, forecast, image, resolveTask, segment, type TaskSpec, taskKind } from '../../../engine/tasks/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { train } from '../../../engine/train/train.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { noFiles as files } from '../data/memory-files.ts'

onSimd()

const recipe = resolveRecipe({
  steps: 4,
  batch: 4,
  evalEvery: 2,
  evalExamples: 4,
  checkpointEvery: {},
  histograms: false,
})
const small = gmlp({ patch: 2, dim: 8, ffnRatio: 2, depth: 1, causal: true })
const few = { train: 20, test: 4 }
const lit = dataset('lit', {
  ...few,
  make: (random, index) => ({ image: [0, 1].map(() => [0, 1].map(() => [random.uniform('light')])), label: index % 2 }),
})

/** The events of a training, interrupted after so many steps or resumed from a state. */
async function events(spec: TaskSpec, { until, from }: { until?: number; from?: TrainEvent[] } = {}) {
  const { task: name, options } = resolveTask(spec)
  const task = await taskKind(name).open(options, files)
  const model = createModel(task.model(small, resolveSize(small, {}, '')), task.input, 1)
  const abort = new AbortController()
  const kept = (which: 'state' | 'best') => async () =>
    from?.flatMap((event) => (event.type === 'checkpoint' && event[which] ? [event[which]] : [])).at(-1) ?? null
  const found: TrainEvent[] = []
  for await (const event of train({
    model,
    task,
    recipe,
    seed: 1,
    signal: abort.signal,
    state: kept('state'),
    best: kept('best'),
  })) {
    found.push(event)
    if (event.type === 'step' && event.step === until) abort.abort()
  }
  model.dispose()
  return found
}

const told = (all: TrainEvent[]) =>
  all
    .flatMap((event) =>
      event.type === 'metric' && !isTiming(event.name) ? [`${event.name} ${event.step} ${event.value}`] : [],
    )
    .sort()
const weights = (all: TrainEvent[]) => all.findLast((event) => event.type === 'checkpoint')

it.each<[string, TaskSpec]>([
  ['forecasting', forecast({ data: seasons({ ...few, channels: 2, steps: 12 }), window: 8, horizon: 2 })],
  ['causal language modelling', clm({ data: world({ ...few, train: 40 }), tokens: 12, tokenizer: { vocabulary: 40 } })],
  ['dense prediction', segment({ data: scenes({ ...few, size: 16 }) })],
  ['images of a cell, changed', image({ data: noisyLabels(permuted(lit), 0.2) })],
])('%s, interrupted and resumed, is bit for bit the same, and leaves no tensors', async (_, spec) => {
  const before = tf.memory().numTensors
  const whole = await events(spec)
  expect(whole.at(-1)?.type).toBe('done')
  const first = await events(spec, { until: 3 })
  expect(first.at(-1)).toEqual({ type: 'interrupted', step: 3 })
  const second = await events(spec, { from: first })
  expect(second[0]).toMatchObject({ type: 'start', resumedAt: 3 })
  expect(weights(second)).toMatchObject({ weights: (weights(whole) as { weights: Uint8Array }).weights })
  expect(told([...first, ...second])).toEqual(told(whole))
  expect(tf.memory().numTensors).toBe(before)
})
