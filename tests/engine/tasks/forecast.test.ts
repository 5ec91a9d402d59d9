import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { dataset, seasons } from '../../../engine/data/index.ts'
import { seriesData } from '../../../engine/data/series/index.ts'
import { meanAbsolute, meanSquared, skill } from '../../../engine/evaluate/index.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { forecast, resolveTask, type TaskSpec, taskKind } from '../../../engine/tasks/index.ts'
import { noFiles as files } from '../data/memory-files.ts'

const open = (spec: TaskSpec) => taskKind('forecast').open(resolveTask(spec).options, files)
const small = seasons({ channels: 3, steps: 12, train: 6, test: 4 })
/** Channel 0 counts, channel 1 stays. */
const counting = dataset('c', {
  ...{ train: 2, validation: 1, test: 1 },
  make: (_, i) => ({ series: Array.from({ length: 6 }, (_, t) => [10 * i + t, 7]) }),
})

describe('forecasting', () => {
  it('reads a window of scaled steps, and asks for those after it', async () => {
    const task = await open(forecast({ data: counting, window: 3, horizon: 2 }))
    const before = tf.memory().numTensors
    const { value: batch } = await task.evalBatches('test', 8).next()
    const { input, target } = batch as { input: tf.Tensor; target: tf.Tensor }
    expect([input.shape, target.shape]).toEqual([
      [2, 3, 2],
      [2, 2, 2],
    ]) // two windows of six steps
    // the training values of channel 0 have mean 7.5 and deviation sqrt(25 + 35 / 12)
    const of = (value: number) => (value - 7.5) / Math.sqrt(25 + 35 / 12)
    const expected = [0, 1, 2, 1, 2, 3].flatMap((value) => [of(value), 0])
    expect([...input.dataSync()].map((each) => each.toFixed(5))).toEqual(expected.map((each) => each.toFixed(5)))
    expect([...target.dataSync()].filter((_, i) => i % 2 === 0).map((each) => each.toFixed(5))).toEqual(
      [3, 4, 4, 5].map((value) => of(value).toFixed(5)),
    )
    tf.dispose([input, target])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('has models from [batch, window, channels] to [batch, horizon, channels]', async () => {
    const task = await open(forecast({ data: small, window: 5, horizon: 2 }))
    const model = createModel(task.model(gmlp, resolveSize(gmlp, { dim: 8, depth: 1 }, '')), task.input, 1)
    const y = tf.tidy(() => model.apply(tf.zeros([4, 5, 3])).shape)
    expect(y).toEqual([4, 2, 3])
    model.dispose()
  })
  it('is measured against the last value', () => {
    const input = Float32Array.of(1, 2, 5, 6) // two steps of two channels
    const target = Float32Array.of(6, 6, 7, 8) // likewise
    const [mse, mae, over] = [meanSquared(), meanAbsolute(), skill({ window: 2, horizon: 2, channels: 2 })]
    for (const each of [mse, mae, over]) each.add(Float32Array.of(6, 6, 6, 6), { input, target })
    expect([mse.value(), mae.value()]).toEqual([5 / 4, 3 / 4])
    expect(over.value()).toBeCloseTo(1 - 5 / (1 + 0 + 4 + 4))
  })
  it('is on series of one record, cut in the order of time, where later noise of one channel is earlier noise of another', async () => {
    const all = await seriesData.open(seasons({ channels: 4, steps: 50, train: 8, test: 3, difficulty: 0 }), files)
    expect([all.train.size, all.validation.size, all.test.size]).toEqual([8, 1, 3])
    const [a, b] = [await all.train.read([0, 1]), await all.train.read([1])]
    expect(a.series.subarray(200)).toEqual(b.series)
    const next = await seriesData.open(seasons({ channels: 4, steps: 50, train: 9, test: 3, difficulty: 0 }), files)
    expect((await next.train.read([8])).series).toEqual((await all.validation.read([0])).series)
    const other = await seriesData.open(seasons({ channels: 4, steps: 50, train: 8, test: 3, seed: 1 }), files)
    expect((await other.train.read([1])).series).not.toEqual(b.series)
  })
  it('refuses windows that do not fit, and what are no series', async () => {
    await expect(open(forecast({ data: small, window: 9, horizon: 4 }))).rejects.toThrow(
      "task.window: 9, and 4 to forecast, but the series of 'seasons' have 12 steps",
    )
    const images = dataset('i', { train: 2, test: 1, make: () => ({ image: [[[0]]], label: 0 }) })
    await expect(open(forecast({ data: images }))).rejects.toThrow('the task takes series (2 axes)')
    expect(() => resolveTask(forecast({ data: 'sesons' }))).toThrow(
      "unknown data set 'sesons' (did you mean 'seasons'?)",
    )
  })
})
