import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { metric, mixer, readouts, shapes, vit } from '../../../engine/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { createReader, type Reader } from '../../../engine/readouts/reader.ts'
import type { Readout } from '../../../engine/readouts/readout.ts'
import { image, taskKind } from '../../../engine/tasks/index.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { differentiator } from '../../../engine/train/differentiate.ts'
import { predict } from '../../../engine/train/evaluate.ts'

const files = { list: async () => [], read: async () => new Uint8Array() }
const spec = image({ data: shapes({ train: 40, test: 20 }) })
let task: Task
let model: Model
let reader: Reader

beforeAll(async () => {
  const kind = taskKind(spec.task)
  task = await kind.open(kind.resolve(spec.options), files)
  const block = mixer({ depth: 1, dim: 8, patch: 16 })
  const forward = task.model(block, resolveSize(block, {}, 'mixer'))
  model = createModel(forward, task.input, 1)
  reader = createReader({ model, forward, task, tests: true })
})
afterAll(() => {
  reader.dispose()
  model.dispose()
})

async function numberFrom(readout: Readout): Promise<number> {
  const { value, problem, test } = await reader.read(readout)
  expect([problem, test]).toEqual([null, false])
  return value
}
const named = (name: string) => model.parameters.find((each) => each.name === name)?.variable as tf.Variable

it('measures training examples, and the gap to validation', async () => {
  const train = await numberFrom(readouts.train('accuracy', { examples: 20 }))
  expect(Number.isInteger(20 * train)).toBe(true)
  const loss = await numberFrom(readouts.train('loss'))
  const gap = await numberFrom(readouts.gap('loss'))
  const held = await numberFrom({
    ...readouts.train('loss'),
    compute: async ({ measure }) => (await measure('validation')).loss ?? 0,
  })
  expect(gap).toBeCloseTo(held - loss, 6)
  expect(readouts.train().meaning).toMatchObject({
    better: 'higher',
    unit: 'share',
    bounds: [0, 1],
    words: 'accuracy on training examples',
  })
  expect(readouts.gap('loss').meaning).toMatchObject({ better: 'lower', unit: 'nats' })
  const own = metric('recall', { better: 'higher', unit: 'share' }, () => ({ add() {}, value: () => 1 }))
  expect(readouts.train(own)).toMatchObject({ name: 'train_recall', meaning: { unit: 'share' } })
})
it('counts parameters, multiply-adds and memory', async () => {
  expect(await numberFrom(readouts.parameters())).toBe(model.size)
  expect(await numberFrom(readouts.multiplyAdds())).toBeGreaterThan(1000)
  expect(await numberFrom(readouts.memory())).toBeGreaterThan(1000)
})
it('reads sparsity and locality off the matrices that mix tokens', async () => {
  const first = named('blocks.0.mlp_tokens.fc1.weight')
  const second = named('blocks.0.mlp_tokens.fc2.weight')
  const [kept, other] = [first.clone(), second.clone()]
  const sizes = first.size + second.size
  tf.tidy(() => {
    for (const each of [first, second]) each.assign(tf.buffer(each.shape as [number, number], 'float32').toTensor())
    const ones = tf.buffer(first.shape as [number, number], 'float32')
    ones.set(2, 0, 0)
    ones.set(0.01, 0, 1)
    first.assign(ones.toTensor())
  })
  // of the zeros of the second none is smaller than a share of its largest, 0
  expect(await numberFrom(readouts.mixingSparsity())).toBeCloseTo((first.size - 1) / sizes, 6)
  expect(await numberFrom(readouts.mixingSparsity({ below: 0.001 }))).toBeCloseTo((first.size - 2) / sizes, 6)
  for (const [variable, value] of [
    [first, kept],
    [second, other],
  ] as const) {
    variable.assign(value)
    value.dispose()
  }
})
it('weighs the distance of tokens by the weights that connect them', async () => {
  const { compute } = readouts.mixingLocality()
  const matrix = tf.tensor2d([0, 1, 0, 3, ...Array(8).fill(0), -1, 0, 0, 0], [4, 4])
  const given = (grid: [number, number] | null) => ({ mixing: [{ name: 'w', matrix, grid }] }) as never
  const found = tf.tidy(() =>
    [compute(given([2, 2])), compute(given(null))].map((each) => (each as tf.Tensor).dataSync()[0]),
  )
  matrix.dispose()
  expect(found[0]).toBeCloseTo((1 + 4 * Math.SQRT2) / 5, 6)
  expect(found[1]).toBeCloseTo((1 + 3 * 3 + 3) / 5, 6)
})
it('reads the norm of gradients by layer, as the trainer has them', async () => {
  const lossOf = (batch: tf.NamedTensorMap, mode: object) =>
    task.loss(predict(task, model, batch as Batch, mode), batch as Batch)
  const autograd = differentiator(model, lossOf, { program: false })
  let [all, block] = [0, 0]
  for await (const batch of task.evalBatches('train', 128)) {
    const { loss, gradients } = await autograd.run(batch, 0)
    for (const [name, gradient] of Object.entries(gradients)) {
      const square = (gradient.dataSync() as Float32Array).reduce((sum, value) => sum + value * value, 0)
      all += square
      if (name.startsWith('blocks.0.')) block += square
    }
    tf.dispose([batch, loss, gradients])
  }
  autograd.dispose()
  expect(await numberFrom(readouts.gradientNorm())).toBeCloseTo(Math.sqrt(all), 4)
  expect(await numberFrom(readouts.gradientNorm('blocks.0'))).toBeCloseTo(Math.sqrt(block), 4)
  expect(readouts.gradientNorm('blocks.0')).toMatchObject({
    name: 'gradient_norm_blocks_0',
    meaning: { words: 'gradient norm of blocks.0' },
  })
})
it.each<[string, Readout, string]>([
  ['an unknown layer', readouts.gradientNorm('block.0'), "no weights at 'block.0' (did you mean 'blocks.0'?"],
  ['a metric of another task', readouts.train('perplexity'), 'perplexity: the task does not measure it'],
])('says so of %s', async (_, readout, message) => {
  const { problem } = await reader.read(readout)
  expect((problem as { thrown: Error }).thrown.message).toContain(message)
})
it('says so where nothing mixes tokens by weights', async () => {
  const block = vit({ depth: 1, dim: 8, patch: 16 })
  const forward = task.model(block, resolveSize(block, {}, 'vit'))
  const pooled = createModel(forward, task.input, 1)
  const other = createReader({ model: pooled, forward, task, tests: true })
  for (const readout of [readouts.mixingSparsity(), readouts.mixingLocality()]) {
    const { problem } = await other.read(readout)
    expect((problem as { thrown: Error }).thrown.message).toBe('mixing: the model has no weights that mix tokens')
  }
  other.dispose()
  pooled.dispose()
})
it.each<[string, () => unknown, string]>([
  ['an unknown metric', () => readouts.train('acuracy'), `readouts.train: "acuracy", expected a metric`],
  ['no examples', () => readouts.gap('loss', { examples: 0 }), 'readouts.gap.examples: 0, expected a whole number'],
  ['a bound', () => readouts.mixingSparsity({ below: 2 }), 'readouts.mixingSparsity.below: 2, expected'],
  ['a number for a layer', () => readouts.gradientNorm(1 as never), 'readouts.gradientNorm: number, expected a place'],
])('refuses %s', (_, make, message) => {
  expect(make).toThrow(message)
})

it('compares metrics at equal time and at equal multiply-adds, by the last evaluation until then', async () => {
  const asked: [string, number][] = []
  const run = (ms: number, macs: number | null, steps = 100) => ({
    ...{ batch: 10, steps, macs },
    stepMs: async () => ms,
    valueAt: async (metric: string, step: number) => {
      asked.push([metric, step])
      return step
    },
  })
  const [fast, slow] = [run(2, 30), run(7, 40)]
  const at = async (readout: Readout, own = slow, all = [fast, slow]) => readout.together?.(own, all)
  expect(await at(readouts.atEqualTime('loss'))).toBe(28)
  expect(await at(readouts.atEqualTime(), fast)).toBe(100)
  expect(await at(readouts.atEqualMultiplyAdds())).toBe(75)
  expect(asked).toEqual([
    ['validation/loss', 28],
    ['validation/accuracy', 100],
    ['validation/accuracy', 75],
  ])
  expect(await at(readouts.examplesPerSecond(), fast)).toBe(5000)
  expect(await at(readouts.stepTime())).toBe(7)
  await expect(at(readouts.atEqualMultiplyAdds(), slow, [run(1, null), slow])).rejects.toThrow('could not be counted')
})
