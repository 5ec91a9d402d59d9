import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../engine/backends/simd/backend.ts'
import { type EagerFallback, eagerFallback, warningOf } from '../../../engine/compile/eagerFallback.ts'
import { type Code, recordEagerly } from '../../../engine/compile/record.ts'
import { simplify } from '../../../engine/compile/simplify.ts'
import { randomCode } from './randomCode.ts'
import { expectSameBits, held, leaveSimd, taken, useThreads } from './setup.ts'

leaveSimd()
beforeAll(() => useThreads(1))
afterEach(() => vi.restoreAllMocks())

const reason = new Error('reads values of a tensor')
let factor = 2
/** Code that cannot be recorded: it multiplies by what it reads. */
const code: Code = ({ x }, { backward }) =>
  tf.tidy(() => {
    const read = tf.mean(x as tf.Tensor).dataSync()[0] as number
    backward()
    return { y: tf.mul(x as tf.Tensor, read * factor) }
  })

/** A clock that goes on by `ms` whenever it is read. */
function clock(ms: number): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += ms
    return now
  })
}

/** Runs the code `count` times, on examples of the value 3. */
function runs(slow: EagerFallback, count: number, examples = 2): number[] {
  return Array.from({ length: count }, () => {
    const x = tf.fill([examples, 2], 3)
    const { y } = taken(slow.run({ x }, examples, code))
    x.dispose()
    return y?.values[0] as number
  })
}

describe('code that runs operation by operation', () => {
  it('is timed in turns with the program that it would be; nothing is left', () => {
    clock(100)
    const before = held()
    const programs = vi.spyOn(tf.backend() as SimdBackend, 'createProgram')
    const slow = eagerFallback(reason, tf.backend() as SimdBackend)
    expect(runs(slow, 2)).toEqual([18, 18])
    expect(slow).toMatchObject({ reason, factor: 1, settled: false })
    expect(runs(slow, 4)).toEqual([18, 18, 18, 18])
    expect(slow).toMatchObject({ factor: 1, settled: true })
    expect(programs).toHaveBeenCalledOnce()
    expect(held()).toEqual(before)
  })

  it('is timed longer where it is quick, and on batches of one shape', () => {
    clock(1)
    const before = held()
    const slow = eagerFallback(reason, tf.backend() as SimdBackend)
    runs(slow, 1)
    runs(slow, 10, 5)
    expect(slow.factor).toBeNull()
    runs(slow, 10)
    expect(slow).toMatchObject({ factor: 1, settled: false })
    slow.dispose()
    expect(held()).toEqual(before)
  })

  it('gives what it gives, whatever it read when it was watched', () => {
    const slow = eagerFallback(reason, tf.backend() as SimdBackend)
    expect(runs(slow, 2)).toEqual([18, 18])
    factor = 5
    expect(runs(slow, 2)).toEqual([45, 45])
    factor = 2
    slow.dispose()
  })

  it('goes on where there cannot be a program', () => {
    const createProgram = () => {
      throw new Error('out of memory')
    }
    const slow = eagerFallback(reason, { isImmediate: true, createProgram, compact: async () => {} })
    expect(runs(slow, 3)).toEqual([18, 18, 18])
    expect(slow).toMatchObject({ factor: null, settled: true })
  })

  it('that fails while it is watched leaves the kernels as they were', () => {
    const kernels = tf.getKernelsForBackend('simd').map(({ kernelFunc }) => kernelFunc)
    const slow = eagerFallback(reason, tf.backend() as SimdBackend)
    const broken: Code = () => {
      throw new Error('broken')
    }
    expect(() => slow.run({}, 1, broken)).toThrow('broken')
    const after = new Set(tf.getKernelsForBackend('simd').map(({ kernelFunc }) => kernelFunc))
    expect(kernels.filter((each) => !after.has(each))).toEqual([])
  })
})

it.each(['forward', 'gradients'] as const)('what was watched makes a program with the same bits: %s', (kind) => {
  const backend = tf.backend() as SimdBackend
  for (let i = 0; i < 30; i++) {
    const name = `${kind}/watched/${i}`
    const { batch, values, body } = randomCode(kind, name)
    const inputs = values()
    const { graph, outputs } = recordEagerly(inputs, (given, marks) => tf.tidy(() => body(given, marks)))
    const program = backend.createProgram(simplify(graph), batch)
    expectSameBits(taken(program.run(inputs, 0)), taken(outputs), name)
    program.dispose()
    tf.dispose(inputs)
  }
})

it.each([
  [3.14, 'runs operation by operation, 3.1 times slower: reads values of a tensor'],
  [1.02, 'runs operation by operation, as fast as a program: reads values of a tensor'],
  [null, 'runs operation by operation: reads values of a tensor'],
])('a factor of %s: %s', (factor, text) => {
  expect(warningOf({ factor } as EagerFallback, reason)).toBe(text)
})
