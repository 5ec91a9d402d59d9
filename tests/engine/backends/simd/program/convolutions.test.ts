import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../../../engine/backends/simd/backend.ts'
import { type ProgramStep, stages } from '../../../../../engine/backends/simd/program/stages.ts'
import { avgPool, conv1d, conv2d, depthwiseConv2d, maxPool } from '../../../../../engine/nn/index.ts'
import type { Forward } from '../../../../../engine/nn/model.ts'
import { runInPass } from '../../../../../engine/nn/scope.ts'
import {
  ballast,
  expectSameBits,
  held,
  leaveSimd,
  programOf,
  taken,
  useThreads,
  weigh,
} from '../../../compile/setup.ts'
import { Draws } from '../stock.ts'

vi.mock('../../../../../engine/backends/simd/program/stages.ts', { spy: true })
leaveSimd()

const EXAMPLES = 6

/** Layers of images, and the kernels of them that see the whole batch. */
const layers: [title: string, shape: number[], layer: Forward, whole?: string[]][] = [
  ['depthwise 3 x 3', [7, 9, 10], (x) => depthwiseConv2d(x)],
  ['depthwise with stride', [8, 9, 5], (x) => depthwiseConv2d(x, { kernel: [5, 3], stride: [2, 3] })],
  ['depthwise with a kernel of even sides', [5, 6, 4], (x) => depthwiseConv2d(x, { kernel: [2, 4] })],
  ['each channel along tokens', [21, 6], (x) => conv1d(x, 6, { kernel: 4, groups: 6, padding: 'causal' })],
  ['mean of windows', [7, 6, 9], (x) => avgPool(x, { kernel: [3, 2], stride: [2, 1] })],
  ['largest of windows', [7, 6, 9], (x) => maxPool(x, { stride: 2 })],
  ['largest along tokens', [12, 3], (x) => maxPool(x, { kernel: 4 })],
  ['3 x 3 in tiles', [7, 5, 8], (x) => conv2d(x, 16), ['Conv2DBackpropFilter']],
  ['3 x 3 of few channels', [6, 7, 3], (x) => conv2d(x, 5), ['Conv2DBackpropFilter']],
  ['with stride', [8, 6, 4], (x) => conv2d(x, 6, { stride: 2 }), ['Conv2DBackpropFilter']],
  ['along tokens', [13, 5], (x) => conv1d(x, 7, { kernel: 3 }), ['Conv2DBackpropFilter']],
]

/** What a batch comes to: the result and its gradients by the input and the weights. */
function codeOf(layer: Forward) {
  const names: string[] = []
  const run = (given: tf.NamedTensorMap, marks: { backward(): void }): tf.NamedTensorMap => {
    const { input, ballast: more, ...weights } = given as Record<string, tf.Tensor>
    const create = (name: string, shape: number[], fill: () => Float32Array) => {
      if (!names.includes(name)) names.push(name)
      return (weights[name] ?? tf.tensor(fill(), shape)) as tf.Variable
    }
    const apply = (x: tf.Tensor) => {
      const pass = { parameters: new Map(), seed: 1, training: true, step: 0, dropPath: 0, create }
      return runInPass(pass, () => layer(x))
    }
    const results: tf.Tensor[] = []
    const { value, grads } = tf.engine().gradients(() => {
      const y = apply(tf.mul(input as tf.Tensor, 1.5))
      results.push(tf.keep(y))
      const loss = tf.sum(tf.mul(tf.square(y), 0.5)) as tf.Scalar
      marks.backward()
      return loss
    }, [input as tf.Tensor, ...Object.values(weights)])
    const gradients = Object.fromEntries(grads.map((gradient, i) => [`gradient ${i}`, gradient]))
    return { y: results[0] as tf.Tensor, value, ...gradients, weight: weigh(more as tf.Tensor) }
  }
  return { run, names }
}

describe.each([1, 3])('on images of a chunk, with the bits of all at once: %i threads', (threads) => {
  beforeAll(() => useThreads(threads))

  it.each(layers)('%s', async (title, shape, layer, whole = []) => {
    const draws = new Draws(title)
    const weights: tf.NamedTensorMap = {}
    tf.tidy(() => {
      const create = (name: string, size: number[]) => {
        weights[name] = tf.keep(tf.tensor(draws.values(size), size))
        return weights[name] as tf.Variable
      }
      const pass = { parameters: new Map(), seed: 1, training: true, step: 0, dropPath: 0, create }
      runInPass(pass, () => layer(tf.zeros([1, ...shape])))
    })
    const input = tf.tensor(draws.values([EXAMPLES, ...shape]), [EXAMPLES, ...shape])
    const given = { input, ballast: ballast(EXAMPLES), ...weights }
    for (const each of Object.values(given)) (tf.backend() as SimdBackend).address(each)
    const { run } = codeOf(layer)
    const wanted = taken(tf.tidy(() => run(given, { backward: () => {} })))
    const before = held()
    const program = await programOf(given, EXAMPLES, run)
    const found = vi.mocked(stages).mock.settledResults.at(-1)?.value ?? []
    const alone = found.flatMap(({ work }: ProgramStep) => ('operations' in work ? [] : [work.kernel]))
    expect(alone.filter((kernel: string) => /conv|pool|tap/i.test(kernel))).toEqual(whole)
    for (const step of [0, 1]) expectSameBits(taken(program.run(given, step)), wanted, title)
    program.dispose()
    expect(held()).toEqual(before)
    tf.dispose(given)
  })
})
