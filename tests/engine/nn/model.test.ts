import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { type Initialiser, normal, parameter } from '../../../engine/nn/index.ts'
import { ones } from '../../../engine/nn/initialisers.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { keyOf, normal as normalDraw } from '../../../engine/random.ts'
import { leaveSimd, useThreads } from '../compile/setup.ts'

leaveSimd()

const modelOf = (initialise: Initialiser, shape = [30, 4]) =>
  createModel((x) => tf.mul(tf.sum(parameter('weight', shape, initialise)), x), { shape: [1, 2] }, 3)

it('a model has its first values in the memory of the backend, those that are drawn into it and those of arrays', async () => {
  const backend = await useThreads(1)
  const before = backend.memory().heapBytes
  const given: (Float32Array | undefined)[] = []
  const observed = (inner: Initialiser): Initialiser => {
    return (size, fans, key, into) => {
      given.push(into)
      return inner(size, fans, key, into)
    }
  }
  const draws = Float32Array.from({ length: 120 }, (_, i) => 0.5 * normalDraw(keyOf(3, 'init/weight'), i))
  const own: Initialiser = (size, fans, key) => normal(0.5)(size, fans, key).map((value) => 2 * value)
  for (const [initialise, values] of [
    [normal(0.5), draws],
    [ones, new Float32Array(120).fill(1)],
    [own, draws.map((value) => 2 * value)],
  ] as const) {
    const model = modelOf(observed(initialise))
    expect(model.parameters[0]?.variable.dataSync()).toEqual(values)
    expect(given.pop()?.buffer).toBe(backend.buffer)
    expect(backend.memory().heapBytes).toBe(before + 512) // 480, in cache lines
    model.dispose()
    expect(backend.memory().heapBytes).toBe(before)
  }
})

it('a model whose initial values are too few, or that draws none, leaves nothing behind', async () => {
  const backend = await useThreads(1)
  const before = backend.memory().heapBytes
  expect(() => modelOf((size) => new Float32Array(size - 1))).toThrow('119')
  const failing: Initialiser = () => {
    throw new Error('drawn')
  }
  expect(() => modelOf(failing)).toThrow('drawn')
  expect(() => modelOf(normal(1), [2 ** 16, 2 ** 16])).toThrow('expected at most 1073741824')
  expect(backend.memory().heapBytes).toBe(before)
})
