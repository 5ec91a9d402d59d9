import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gmlp, mixer, readout, shapes } from '../../../engine/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { createReader, type Reader } from '../../../engine/readouts/reader.ts'
import type { ReadoutFunction } from '../../../engine/readouts/readout.ts'
import { image, taskKind } from '../../../engine/tasks/index.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { mixingMatrices } from '../../../engine/weights/mixing.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'

const files = { list: async () => [], read: async () => new Uint8Array() }
const spec = image({ data: shapes({ train: 40, test: 20 }) })
const kind = taskKind(spec.task)
const block = mixer({ depth: 2, dim: 8, patch: 16 })
let task: Task
let model: Model
let reader: Reader
let trained: Reader

beforeAll(async () => {
  task = await kind.open(kind.resolve(spec.options), files)
  const forward = task.model(block, resolveSize(block, {}, 'mixer'))
  model = createModel(forward, task.input, 1)
  reader = createReader({ model, forward, task, tests: true })
  trained = createReader({ model, forward, task, tests: false })
})
afterAll(() => {
  for (const each of [reader, trained, model]) each.dispose()
})

/** What a function gives, which must leave no tensors. */
async function read(compute: ReadoutFunction, of = reader) {
  const before = tf.memory().numTensors
  const result = await of.read(readout('some', {}, compute))
  expect(tf.memory().numTensors).toBe(before)
  return result
}
const numberFrom = async (compute: ReadoutFunction) => {
  const { value, problem } = await read(compute)
  expect(problem).toBeNull()
  return value
}

describe('a read-out', () => {
  it('has the weights by name, while it runs and again', async () => {
    const count = ({ weights }: Parameters<ReadoutFunction>[0]) =>
      Object.values(weights).reduce((sum, { size }) => sum + size, 0)
    expect(await numberFrom(count)).toBe(
      model.parameters.reduce((sum, { shape }) => sum + tf.util.sizeFromShape(shape), 0),
    )
    const later = async ({ weights, model: m, data }: Parameters<ReadoutFunction>[0]) => {
      for await (const batch of data.train(20)) await m(batch).data()
      return tf.norm(weights['head.weight'] as tf.Tensor)
    }
    const own = model.parameters.find(({ name }) => name === 'head.weight')?.variable as tf.Variable
    const norm = Math.hypot(...(own.dataSync() as Float32Array))
    expect(await numberFrom(later)).toBeCloseTo(norm, 6)
  })
  it('has logits, loss, activations and gradients of a batch', async () => {
    const given: string[] = []
    await numberFrom(async ({ model, data }) => {
      for await (const batch of data.validation()) {
        given.push(`${model(batch).shape}`)
        for (const [name, y] of Object.entries(model.activations(batch))) given.push(`${name} ${y.shape}`)
        const bias = model.gradients(batch)['head.bias'] as tf.Tensor
        const wanted = tf.tidy(() => {
          const p = tf.softmax(model(batch)).sub(tf.oneHot(batch.target as tf.Tensor1D, 10))
          return p.mean(0)
        })
        expect(tf.max(tf.abs(tf.sub(bias, wanted))).dataSync()[0]).toBeLessThan(1e-6)
        return model.loss(batch)
      }
      return 0
    })
    expect(given).toEqual(['4,10', 'blocks.0 4,4,8', 'blocks.1 4,4,8'])
  })
  it('measures a split as the task does, and a fixed part of the training examples', async () => {
    const logits = async (split: 'train' | 'test', examples: number) => {
      const seen: number[] = []
      await numberFrom(async ({ data }) => {
        for await (const { target } of data[split](examples)) seen.push(...(await (target as tf.Tensor).data()))
        return 0
      })
      return seen
    }
    expect(await logits('train', 8)).toEqual(await logits('train', 8))
    expect((await logits('train', 99)).length).toBe(40)
    expect(new Set(await logits('train', 8)).size).toBeGreaterThan(2)
    const { value, test } = await read(async ({ measure }) => (await measure('test', 10)).accuracy as number)
    expect([Number.isFinite(value), test]).toEqual([true, true])
    expect(await numberFrom(async ({ measure }) => (await measure('train')).loss as number)).toBeGreaterThan(0)
  })
  it('has the matrices that mix tokens as the files have them, and what the model costs', async () => {
    const stored = mixingMatrices(readSafetensors(await writeWeights(model.parameters), 'w'))
    await numberFrom(async ({ mixing, cost }) => {
      expect(mixing.map(({ name, grid }) => [name, grid])).toEqual(stored.map(({ name, grid }) => [name, grid]))
      for (const [i, { matrix }] of mixing.entries()) {
        expect(matrix.shape).toEqual([stored[i]?.rows, stored[i]?.columns])
        expect(await matrix.data()).toEqual(stored[i]?.values)
      }
      const { parameters, macs, trainingBytes } = await cost()
      expect(parameters).toBe(model.size)
      expect(macs > 1000 && trainingBytes > 1000).toBe(true)
      return 1
    })
  })
  it('writes matrices of Toeplitz form out', async () => {
    const own = gmlp({ depth: 1, dim: 8, patch: 16, spatial: 'toeplitz' })
    const forward = task.model(own, resolveSize(own, {}, 'gmlp'))
    const made = createModel(forward, task.input, 1)
    const other = createReader({ model: made, forward, task, tests: true })
    await other.read(
      readout('some', {}, async ({ mixing }) => {
        expect(mixing[0]?.matrix.shape).toEqual([4, 4])
        const rows = (await mixing[0]?.matrix.array()) as number[][]
        expect(rows[0]?.slice(0, 3)).toEqual(rows[1]?.slice(1))
        return 1
      }),
    )
    other.dispose()
    made.dispose()
  })
  it.each<[string, ReadoutFunction, string]>([
    ['gives no number', () => undefined as never, 'gave a value of type undefined, expected a number'],
    ['gives NaN', () => Number.NaN, 'gave NaN'],
    ['gives a tensor of several values', () => tf.zeros([2, 3]), 'gave a tensor [2,3], expected a number'],
  ])('that %s is not a number, and says so', async (_, compute, problem) => {
    expect(await read(compute)).toEqual({ value: Number.NaN, problem, test: false })
  })
  it.each<[string, ReadoutFunction, string]>([
    [
      'a tensor for a batch',
      ({ model }) => model(tf.zeros([1, 2]) as never),
      'model: got a tensor [1,2], expected a batch',
    ],
    ['another split', ({ measure }) => measure('dev' as never) as never, "split: 'dev', allowed are train, validation"],
    [
      'what throws later',
      async ({ weights }) => {
        await weights['head.bias']?.data()
        tf.zeros([3])
        throw new Error('late')
      },
      'late',
    ],
  ])('with %s is not a number, and leaves nothing', async (_, compute, message) => {
    const { value, problem } = await read(compute)
    expect(value).toBeNaN()
    expect((problem as { thrown: Error }).thrown.message).toContain(message)
  })
  it('has no test examples while the model is trained', async () => {
    const { problem } = await read(({ measure }) => measure('test') as never, trained)
    expect((problem as { thrown: Error }).thrown.message).toBe(
      "data.test: is read once, at the end: leave out when: 'evaluations'",
    )
  })
})
