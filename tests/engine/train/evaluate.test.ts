import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { perplexity, topK } from '../../../engine/evaluate/index.ts'
import type { Evaluator } from '../../../engine/evaluate/types.ts'
import { add, block, dense } from '../../../engine/nn/index.ts'
import type { Report } from '../../../engine/records/report.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { createEvaluator, predict } from '../../../engine/train/evaluate.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { toyModel, toyTask } from './toy.ts'

const tiny = block('tiny', (x, { dim }) => add(x, dense(x, dim)))
const SIZES = [4, 2, 6]

afterEach(() => vi.restoreAllMocks())

/** A task whose batches are of different sizes; the loss of a batch is the mean of its targets: 0 0 0 0, 1 1, 2 2 2 2 2 2. */
function task(more: Partial<Task> = {}): Task & { asked: unknown[][] } {
  const asked: unknown[][] = []
  return {
    asked,
    ...toyTask(),
    evalBatches: async function* (...given) {
      asked.push(given)
      for (const [i, size] of SIZES.entries()) {
        yield tf.tidy((): Batch => ({ input: tf.fill([size, 8, 8, 1], i), target: tf.fill([size], i, 'int32') }))
      }
    },
    loss: (_, { target }) => tf.mean(target as tf.Tensor),
    evaluators: () => {
      let sum = 0
      const add: Evaluator['add'] = (_, { target }) => {
        sum += Number(target?.length)
      }
      return [{ name: 'sum', meaning: {}, add, value: () => sum }]
    },
    ...more,
  }
}

async function evaluate(of: Task, { limit = 12, report = false, pause = async () => {} } = {}) {
  const model = toyModel(tiny)
  const own = createEvaluator(model, of)
  const result = await (report ? own.test(limit, pause) : own.validate(limit, pause))
  own.dispose()
  model.dispose()
  return result
}

describe('an evaluation', () => {
  it('has the mean loss over examples, the metrics of the task and a pace', async () => {
    const own = task()
    const { metrics, report } = await evaluate(own)
    expect([...metrics.keys()]).toEqual(['validation/loss', 'validation/sum', 'validation/examples_per_second'])
    expect(metrics.get('validation/loss')?.value).toBeCloseTo((2 * 1 + 6 * 2) / 12, 6)
    expect(metrics.get('validation/sum')?.value).toBe(12)
    expect(report).toEqual({})
    expect(own.asked).toEqual([['validation', 128, 12]])
  })

  it('goes over each test, with counters of its own', async () => {
    const own = task({ tests: ['test', 'other'] })
    const { metrics } = await evaluate(own, { report: true })
    expect([metrics.get('test/sum')?.value, metrics.get('other/sum')?.value, metrics.size]).toEqual([12, 12, 6])
    expect(own.asked.map(([split]) => split)).toEqual(['test', 'other'])
  })

  it('pauses after each batch', async () => {
    const pause = vi.fn(async () => {})
    await evaluate(task(), { pause })
    expect(pause).toHaveBeenCalledTimes(SIZES.length)
  })

  it('has the median pace, forward and reading alone', async () => {
    // before and after each batch: 4 examples in 4 ms, 2 in 1 ms, 6 in 12 ms
    const times = [0, 4, 100, 101, 200, 212]
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? Number.NaN)
    const { metrics } = await evaluate(task())
    expect(metrics.get('validation/examples_per_second')?.value).toBe(1000)
  })

  it('has the larger pace of two in the middle, and none without data', async () => {
    const times = [0, 4, 100, 101]
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? Number.NaN)
    const { evalBatches } = task()
    const two = task({
      evalBatches: async function* (...given) {
        let left = 2
        for await (const batch of evalBatches(...given)) {
          yield batch
          left -= 1
          if (left === 0) return
        }
      },
    })
    expect((await evaluate(two)).metrics.get('validation/examples_per_second')?.value).toBe(2000)
    const none = task({ evalBatches: async function* () {} })
    expect((await evaluate(none)).metrics.get('validation/examples_per_second')?.value).toBe(0)
  })

  it('reports of tests, from the predictions and the batches', async () => {
    const seen: [number, number][] = []
    const own = task({
      tests: ['test', 'other'],
      report: () => ({
        add: (said, { target, input }) => void seen.push([said.length, Number(target?.length) + Number(input?.length)]),
        value: () => ({ kind: 'maskedTokens', texts: [] }) satisfies Report,
      }),
    })
    const { report } = await evaluate(own, { report: true })
    expect(Object.keys(report)).toEqual(['test', 'other'])
    expect(seen).toEqual([...SIZES, ...SIZES].map((size) => [2 * size, size + 64 * size]))
    expect((await evaluate(own)).report).toStrictEqual({})
    expect((await evaluate(task(), { report: true })).report).toStrictEqual({})
  })

  it('asks the model as evaluation does, not as training', async () => {
    const modes: unknown[] = []
    const own = task({
      predict: (model, { input }, mode) => {
        modes.push(mode.training)
        return model.apply(input, mode)
      },
    })
    await evaluate(own)
    expect(new Set(modes)).toEqual(new Set([false]))
  })
})

describe('an evaluation with many classes', () => {
  onSimd()

  const CLASSES = 300

  /** Its values, and how many numbers of each prediction were read. */
  async function metricsWith(more: Evaluator[]): Promise<[values: number[], read: number[]]> {
    const read: number[] = []
    const own: Task = {
      ...toyTask(),
      predict: (model, { input }, mode) => {
        const brightness = tf.mean(tf.reshape(input, [-1, 64]), 1, true)
        const waves = tf.sin(tf.range(0, CLASSES)) // the same for all
        return tf.add(tf.mul(brightness, waves), tf.mean(model.apply(input, mode), 1, true))
      },
      evaluators: () => [perplexity(), topK('accuracy', 1), topK('top200', 200), ...more],
      report: () => ({
        add: (said) => void read.push(said.length),
        value: () => ({ kind: 'maskedTokens', texts: [] }) satisfies Report,
      }),
    }
    const model = toyModel(tiny)
    const evaluator = createEvaluator(model, own)
    const before = tf.memory().numTensors
    const pause = async () => {}
    const { metrics } = await evaluator.validate(40, pause)
    expect(read).toEqual([])
    if (more.length === 0) await evaluator.test(40, pause)
    expect(evaluator.fallback()).toBe(null)
    expect(tf.memory().numTensors).toBe(before)
    evaluator.dispose()
    model.dispose()
    const values = ['loss', 'perplexity', 'accuracy', 'top200'].map((name) => metrics.get(`validation/${name}`)?.value)
    return [values as number[], read]
  }

  it('reads what was found of the rows, and predictions where a metric or a report asks for them', async () => {
    const lengths: number[] = []
    const add: Evaluator['add'] = (said) => void lengths.push(said.length)
    const [told, read] = await metricsWith([])
    const [own, none] = await metricsWith([{ name: 'own', meaning: {}, add, value: () => 0 }])
    expect([read, none, lengths]).toEqual([[40 * CLASSES], [], [40 * CLASSES]])
    for (const [i, value] of told.entries())
      expect(Math.abs(value / (own[i] || 1) - Number(own[i] !== 0))).toBeLessThan(1e-5)
    expect(told[3]).toBeGreaterThan(0)
    expect(Math.log(told[1] as number)).toBeCloseTo(told[0] as number, 5)
  })
})

describe('predict', () => {
  it('is what the task says, or else the model on the input', () => {
    const model = toyModel(tiny)
    tf.tidy(() => {
      const batch: Batch = { input: tf.ones([1, 8, 8, 1]) }
      const mode = { training: false, step: 0 }
      const plain = predict(toyTask(), model, batch, mode).dataSync()
      expect(plain).toEqual(model.apply(batch.input, mode).dataSync())
      const own: Task = { ...toyTask(), predict: () => tf.scalar(7) }
      expect([...predict(own, model, batch, mode).dataSync()]).toEqual([7])
    })
    model.dispose()
  })
})
