import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ablateOn, partsOf, without } from '../../../engine/explain/ablation.ts'
import { classNamed, explain } from '../../../engine/explain/explain.ts'
import { vit } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { dense } from '../../../engine/nn/layers/dense.ts'
import { createModel, type Forward } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'
import type { Task } from '../../../engine/tasks/types.ts'

const SIDE = 8
const pause = async () => {}

let before = 0
beforeEach(async () => {
  await tf.setBackend('cpu')
  before = tf.memory().numTensors
})
afterEach(() => expect(tf.memory().numTensors).toBe(before))

function trained(forward: Forward): TrainedModel {
  const model = createModel(forward, { shape: [1, SIDE, SIDE, 1] }, 0)
  const [mean, deviation] = [[0.5], [0.5]]
  return {
    ...{ source: 'run 1', model, task: { task: 'image', options: {} }, classes: ['low', 'high'], tokenizer: null },
    preparation: { kind: 'image', size: [SIDE, SIDE], channels: 1, layout: '', mean, deviation },
    notes: [],
    dispose: model.dispose,
  }
}

const question = {
  picture: {
    ...{ width: SIDE, height: SIDE, channels: 1 as const },
    pixels: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => 140 + (i % 100)),
  },
}

/** Class `high` by the brightness of one patch of 2 x 2, the one of row 1 and column 2. */
const onePatch: Forward = (input) => {
  const patch = tf.slice(input, [0, 2, 4, 0], [-1, 2, 2, -1])
  const sum = tf.mul(tf.reshape(tf.sum(patch, [1, 2]), [-1, 1]), 2)
  return tf.concat([tf.neg(sum), sum], 1)
}

it('finds the one patch that a model looks at', async () => {
  const model = trained(onePatch)
  const { name, probability, grid, units, drops, gradient, parts, mixing } = await explain(model, question, null, pause)
  expect([name, grid, parts, mixing]).toEqual(['high', [8, 8], [], []])
  expect(probability).toBeGreaterThan(0.9)
  const looked = [...drops.keys()].filter((i) => Math.abs(drops[i] as number) > 1e-6)
  expect(looked.map((i) => units[i])).toEqual([
    'row 3, column 5',
    'row 3, column 6',
    'row 4, column 5',
    'row 4, column 6',
  ])
  const pixels = [...(gradient?.values ?? [])].flatMap((value, i) => (value !== 0 ? [i] : []))
  expect(pixels).toEqual([20, 21, 28, 29])
  model.dispose()
})

const move = block('move', (x, { layer }) =>
  layer === 1 ? tf.add(x, tf.mul(dense(tf.reverse(x, 1), x.shape[2] as number), 3)) : x,
)

it('says which tokens a block brings together, and what is lost without it', async () => {
  const size = resolveSize(move, { patch: 4, dim: 4, depth: 2 }, 'size')
  const model = trained(assemble(move, size, 'image', { outputs: 2 }))
  for (const { name, variable } of model.model.parameters)
    if (name === 'head.weight') tf.tidy(() => variable.assign(tf.randomNormal(variable.shape, 0, 1, 'float32', 1)))
  const { mixing, grid, parts, probability } = await explain(model, question, 1, pause)
  expect(grid).toEqual([2, 2])
  const seen = mixing.map(({ values }) => [...values].map((value) => Number(value > 1e-6)))
  const own = [0, 1, 2, 3].flatMap((token) => [0, 1, 2, 3].map((unit) => Number(token === unit)))
  expect(seen[0]).toEqual(own)
  expect(seen[1]).toEqual(own.map((is, i) => Number(is === 1 || Math.floor(i / 4) === 3 - (i % 4))))
  expect(parts.map(({ name }) => name)).toEqual(['block 0', 'block 1'])
  expect(parts[0]?.probability).toBeCloseTo(probability, 6)
  expect(Math.abs((parts[1]?.probability ?? 0) - probability)).toBeGreaterThan(1e-3)
  model.dispose()
})

it('leaves out the heads of an attention one by one, and measures a split without each part', async () => {
  const two = vit({ heads: 2 })
  const size = resolveSize(two, { patch: 4, dim: 8, depth: 2 }, 'size')
  const { model, dispose } = trained(assemble(two, size, 'image', { outputs: 2 }))
  const input = tf.randomNormal([3, SIDE, SIDE, 1], 0, 1, 'float32', 1)
  const names = partsOf((mode) => model.apply(input, mode))
  expect(names.map(({ name }) => name)).toEqual([
    ...['block 0', 'blocks.0.attn, head 0', 'blocks.0.attn, head 1'],
    ...['block 1', 'blocks.1.attn, head 0', 'blocks.1.attn, head 1'],
  ])
  const ablated = without(model, { layer: 'blocks.0.attn', head: 0 })
  const blocks: tf.Tensor[] = []
  tf.tidy(() => {
    for (const each of [model, ablated])
      each.apply(input, { onBlock: (i, _, y) => void (i === 0 && blocks.push(tf.keep(tf.clone(y)))) })
  })
  expect(
    tf.tidy(() => tf.max(tf.abs(tf.sub(blocks[0] as tf.Tensor, blocks[1] as tf.Tensor))).dataSync()[0]),
  ).toBeGreaterThan(1e-5)
  tf.dispose(blocks)
  const task = {
    metric: 'test/accuracy',
    async *evalBatches(_: string, __: number, examples = 3) {
      const target = tf.tensor1d([0, 1, 0].slice(0, examples), 'int32')
      yield { input: tf.slice(input, 0, Math.min(3, examples)), target }
    },
    loss: () => tf.scalar(0),
    evaluators: () => {
      let sum = 0
      const meaning = { better: 'higher', bounds: null, words: 'mean' } as const
      const add = (said: Float32Array) => {
        sum += said[0] ?? 0
      }
      return [{ name: 'accuracy', meaning, add, value: () => sum }]
    },
  } as unknown as Task
  const { whole, parts, examples } = await ablateOn(model, task, 3, pause)
  expect([examples, parts.length]).toEqual([3, 6])
  expect(Number.isFinite(whole)).toBe(true)
  dispose()
  input.dispose()
})

it('asks a model that mixes the examples of a batch about one at a time', async () => {
  const alone = trained(onePatch)
  const mixing = trained((input) => {
    const logits = onePatch(input)
    return tf.add(logits, tf.mul(tf.sub(tf.mean(logits, 0, true), logits), 0.5))
  })
  const [{ drops }, found] = [await explain(alone, question, null, pause), await explain(mixing, question, null, pause)]
  for (const [i, drop] of found.drops.entries()) expect(drop).toBeCloseTo(drops[i] as number, 5)
  alone.dispose()
  mixing.dispose()
})

it('says what it cannot explain', async () => {
  const model = trained(onePatch)
  const of = { ...model, task: { task: 'segment', options: {} } }
  await expect(explain(of, question, null, pause)).rejects.toThrow(
    'run 1: is of task segment; what is explained is one class, a span, or masked words',
  )
  model.dispose()
})

it('finds a class by its name, and says which was meant', () => {
  const named = { source: 'run 1', classes: ['circle', 'square'] }
  expect(classNamed('square', named)).toBe(1)
  expect(() => classNamed('circel', named)).toThrow("run 1: unknown class 'circel' (did you mean 'circle'?)")
})

it('explains no answer that is not a number', async () => {
  const model = trained((input) => tf.mul(onePatch(input, {} as never), Number.NaN))
  await expect(explain(model, question, null, pause)).rejects.toThrow('its output is not a number')
  model.dispose()
})
