import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../engine/backends/simd/backend.ts'
import { stages } from '../../../engine/backends/simd/program/stages.ts'
import type { Spec } from '../../../engine/compile/record.ts'
import { gelu } from '../../../engine/nn/layers/gelu.ts'
import { sample, tries } from '../../long.ts'
import { Draws } from '../backends/simd/stock.ts'
import { differentiable, draws, type Operation, plain } from '../trace/operations.ts'
import { type Kind, randomCode } from './randomCode.ts'
import { ballast, expectSameBits, held, leaveSimd, programOf, taken, useThreads, weigh } from './setup.ts'

vi.mock('../../../engine/backends/simd/program/stages.ts', { spy: true })
leaveSimd()

type Body = (inputs: tf.NamedTensorMap, marks: { backward(): void }) => tf.NamedTensorMap

/**
 * Compiles code, in as many chunks as `batch` or more, runs it twice, and compares with the same code operation by operation.
 * Disposes the inputs.
 */
async function compare(title: string, batch: number, given: tf.NamedTensorMap, body: Body, signless = false) {
  const inputs = { ...given, ballast: ballast(batch) }
  const whole: Body = (inputs, marks) => ({ ...body(inputs, marks), weight: weigh(inputs.ballast as tf.Tensor) })
  const wanted = taken(tf.tidy(() => whole(inputs, { backward: () => {} })))
  for (const input of Object.values(inputs)) (tf.backend() as SimdBackend).address(input) // unused ones are moved, too
  const before = held()
  const program = await programOf(inputs, batch, whole)
  const cut = vi.mocked(stages).mock.lastCall?.[1]
  expect(cut?.chunks, title).toBe(batch * (cut?.rows ? Math.ceil(cut.rows.tokens / cut.rows.each) : 1))
  expectSameBits(taken(program.run(inputs, 0)), wanted, title, { signless })
  expectSameBits(taken(program.run(inputs, 1)), wanted, title, { signless })
  program.dispose()
  expect(held(), title).toEqual(before)
  tf.dispose(inputs)
}

const kinds: [title: string, kind: Kind][] = [
  ['random operations', 'forward'],
  ['gradients of random operations', 'gradients'],
  ['gradients of some rows', 'chain'],
]
const numbers = Array.from({ length: 120 }, (_, i) => i)

describe.each([1, 3])('a program has the bits of its operations: %i threads', (threads) => {
  beforeAll(() => useThreads(threads))

  it.each(kinds)('%s', async (_, kind) => {
    for (const i of sample(numbers, threads, 24)) {
      const { batch, values, body } = randomCode(kind, `${kind}/${i}`)
      await compare(`${kind}/${i}`, batch, values(), body, kind === 'chain')
    }
  })
})

/** The floats of an operation as inputs, and code that runs it on them; its ints and bools are constants. */
function codeOf(operation: Operation, name: string, gradients: boolean): [tf.NamedTensorMap, Body] {
  const inputs: tf.NamedTensorMap = {}
  const floats = (shape: number[]) => {
    const key = `floats${Object.keys(inputs).length}`
    inputs[key] = draws(name + key).floats(shape)
    return tf.keep(inputs[key])
  }
  tf.tidy(() => void operation({ ...draws(name), floats }))
  const names = Object.keys(inputs)
  const body: Body = (given, marks) => {
    const uses = names.map((key) => given[key] as tf.Tensor)
    const run = () => [operation({ ...draws(name), floats: () => uses[next++] as tf.Tensor })].flat()
    let next = 0
    if (!gradients) return Object.fromEntries(run().map((value, i) => [i, tf.clone(value)]))
    const sum = () => {
      const loss = tf.addN(run().map((value) => tf.sum(tf.cast(value, 'float32')))) as tf.Scalar
      marks.backward()
      return loss
    }
    const { value, grads } = tf.engine().gradients(sum, uses, undefined, true)
    return Object.fromEntries([value, ...grads].flatMap((tensor, i) => (tensor ? [[i, tensor]] : [])))
  }
  return [inputs, body]
}

describe('a program has the bits of every operation that can be traced', () => {
  beforeAll(() => useThreads(1))

  it.each([
    ['with gradients', differentiable],
    ['without', plain],
  ] as const)('%s', async (title, operations) => {
    for (const [name, operation] of Object.entries(operations)) {
      for (let i = 0; i < tries(3); i++) {
        const [inputs, body] = codeOf(operation, `${name}/${i}`, title === 'with gradients')
        const batch = Object.values(inputs).find(({ rank }) => rank > 0)?.shape[0] ?? 1
        await compare(`${name}/${i}`, batch, inputs, body)
      }
    }
  })
})

describe('a program', () => {
  beforeAll(() => useThreads(1))

  it('gives inputs, constants, and a value under two names, each to be disposed by itself', async () => {
    const inputs = { x: tf.tensor2d([[1, -2]]), flags: tf.tensor1d([1, 0], 'bool') }
    const body: Body = ({ x, flags }) => {
      const y = tf.relu(x as tf.Tensor)
      const same = tf.mul(x as tf.Tensor, tf.ones([1, 2]))
      return { x: x as tf.Tensor, same, flags: flags as tf.Tensor, y, again: tf.reshape(y, [2]), three: tf.scalar(3) }
    }
    const program = await programOf(inputs, 1, body)
    for (let i = 0; i < 2; i++) {
      const found = Object.entries(program.run(inputs, 0)).map(([name, tensor]) => {
        const values = [...tensor.dataSync()]
        tensor.dispose()
        return [name, values]
      })
      const y = [1, 0]
      expect(Object.fromEntries(found)).toEqual({ x: [1, -2], same: [1, -2], flags: [1, 0], y, again: y, three: [3] })
    }
    expect(inputs.flags.dataSync()).toEqual(new Uint8Array([1, 0]))
    program.dispose()
    tf.dispose([inputs.x, inputs.flags])
  })

  it('chooses by comparisons without truth values, and gives those that are asked for', async () => {
    const comparisons = {
      ...{ greater: tf.greater, greaterEqual: tf.greaterEqual },
      less: tf.less,
      lessEqual: tf.lessEqual,
    }
    for (const [name, compareBy] of Object.entries({ ...comparisons, equal: tf.equal, notEqual: tf.notEqual })) {
      const floats = [1, 2, Number.NaN, -0, 0, Number.POSITIVE_INFINITY, 3, 3]
      const inputs = { x: tf.tensor2d(floats, [2, 4]), y: tf.tensor2d([...floats].reverse(), [2, 4]) }
      const body: Body = ({ x, y }) => {
        const fixed = tf.where(compareBy(x as tf.Tensor, 1), 0.5, y as tf.Tensor)
        const chosen = compareBy(x as tf.Tensor, y as tf.Tensor)
        const truth = compareBy(y as tf.Tensor, x as tf.Tensor) // another one: what is done twice is done once
        return { fixed, own: tf.where(chosen, x as tf.Tensor, 7), cast: tf.cast(chosen, 'float32'), truth }
      }
      await compare(name, 2, inputs, body)
    }
    const kernels = vi.mocked(stages).mock.lastCall?.[0].operations.map(({ kernel }) => kernel)
    expect(kernels).toEqual(expect.arrayContaining(['MaskNotEqual', 'Select', 'NotEqual']))
    expect(kernels).not.toContain('Cast')
  })

  it('reads its inputs anew in each run', async () => {
    const program = await programOf({ x: { shape: [2, 3], dtype: 'float32' } }, 2, ({ x }) => ({
      sum: tf.sum(x as tf.Tensor, 1),
    }))
    for (const value of [1, 2]) {
      const x = tf.fill([2, 3], value)
      expect(taken(program.run({ x }, 0)).sum?.values).toEqual(new Float32Array([3 * value, 3 * value]))
      x.dispose()
    }
    program.dispose()
  })

  it('runs in memory that is not shared, which moves when it grows', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    await useThreads(1)
    const shape = [4, 500_000]
    const program = await programOf({ x: { shape, dtype: 'float32' } }, 4, ({ x }) => ({
      y: tf.mul(x as tf.Tensor, 2),
    }))
    const x = tf.tensor(new Float32Array(2_000_000).fill(3), shape)
    expect(taken(program.run({ x }, 0)).y?.values.every((value) => value === 6)).toBe(true)
    program.dispose()
    x.dispose()
    vi.unstubAllGlobals()
    await useThreads(1)
  })

  it('multiplies batches of which one is broadcast, wholly or in part', async () => {
    const b = [2, 3, 5, 6]
    for (const a of [
      [1, 1],
      [1, 3],
      [2, 1],
      [2, 3],
    ]) {
      const draws = new Draws(`${a}`)
      const inputs = { a: tf.tensor(draws.values([...a, 4, 5]), [...a, 4, 5]), b: tf.tensor(draws.values(b), b) }
      await compare(`${a}`, 2, inputs, ({ a, b }) => ({ product: tf.matMul(a as tf.Tensor, b as tf.Tensor) }))
    }
  })

  it.each([
    [8, 64, 1],
    [16, 40, 1],
    [16, 40, 3],
    [24, 24, 2],
    [32, 32, 1],
    [32, 33, 5],
  ])('sums weight gradients of %i examples of %i tokens, %i of which count, in the same groups', async (...sizes) => {
    const [examples, tokens, count] = sizes
    const shape = [examples, tokens, 6]
    const draws = new Draws(`${sizes}`)
    const inputs = { x: tf.tensor(draws.values(shape), shape), weight: tf.tensor(draws.values([6, 6]), [6, 6]) }
    const body: Body = ({ x, weight }, { backward }) => {
      const { value, grads } = tf.engine().gradients(() => {
        const rows = tf.matMul(tf.reshape(x as tf.Tensor, [-1, 6]) as tf.Tensor2D, weight as tf.Tensor2D)
        const some = tf.slice(gelu(tf.reshape(rows, shape)), [0, 1, 0], [examples, count, 6])
        const loss = tf.mean(tf.square(some)) as tf.Scalar
        backward()
        return loss
      }, [weight as tf.Tensor])
      return { value, gradient: grads[0] as tf.Tensor }
    }
    await compare(`${sizes}`, examples, inputs, body, true)
  })

  it('sums long columns in blocks, as the operation does', async () => {
    const values = new Draws('long').values([2, 3000, 3])
    await compare('long', 2, { x: tf.tensor(values, [2, 3000, 3]) }, ({ x }) => ({
      sum: tf.sum(x as tf.Tensor, 1),
      mean: tf.mean(x as tf.Tensor, 1, true),
      max: tf.max(x as tf.Tensor, 1),
      all: tf.sum(x as tf.Tensor, [0, 1]),
    }))
  })

  it('that fails leaves nothing, and runs again', async () => {
    const inputs: Record<string, Spec> = {
      x: { shape: [2, 3], dtype: 'float32' },
      ids: { shape: [2], dtype: 'int32' },
    }
    const program = await programOf(inputs, 2, ({ x, ids }, { draw }) => {
      const drawn = tf.zeros([3])
      draw(drawn, () => new Float32Array(3))
      const y = tf.topk(tf.exp(tf.add(x as tf.Tensor, drawn)), 2).values
      return { y, z: tf.gather(y, ids as tf.Tensor1D) }
    })
    const [x, good, bad] = [tf.zeros([2, 3]), tf.tensor1d([1, 0], 'int32'), tf.tensor1d([0, 7], 'int32')]
    const kept = program.run({ x, ids: good }, 0) ?? {}
    const before = held()
    expect(() => program.run({ x, ids: bad }, 0)).toThrow('7')
    expect(held()).toMatchObject({ tensors: before.tensors, values: before.values })
    expect(taken(kept).z?.values).toEqual(Float32Array.from([1, 1, 1, 1]))
    expect(taken(program.run({ x, ids: good }, 0)).z?.values).toEqual(Float32Array.from([1, 1, 1, 1]))
    program.dispose()
    tf.dispose([x, good, bad])
  })

  it('of nothing but constants runs', async () => {
    const program = await programOf({}, 1, () => ({ two: tf.add(tf.scalar(1), tf.scalar(1)) }))
    expect(taken(program.run({}, 0)).two?.values).toEqual(new Float32Array([2]))
    program.dispose()
  })

  it('gets drawn values for the step of each run', async () => {
    const program = await programOf({ x: { shape: [2], dtype: 'float32' } }, 2, ({ x }, { draw }) => {
      const drawn = tf.zeros([2])
      draw(drawn, (step) => new Float32Array([step, 2 * step]))
      return { sum: tf.add(x as tf.Tensor, drawn) }
    })
    const x = tf.ones([2])
    const before = held()
    for (const step of [0, 5, 1]) {
      expect(taken(program.run({ x }, step)).sum?.values).toEqual(new Float32Array([1 + step, 1 + 2 * step]))
    }
    expect(held().values).toBe(before.values)
    program.dispose()
    x.dispose()
  })
})
