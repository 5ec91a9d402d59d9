import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { integer, keyOf, normal } from '../../../../engine/random.ts'
import { tries } from '../../../long.ts'
import { describeBuilds } from './builds.ts'
import { onSimd } from './setup.ts'

interface Products {
  matmulScratch(m: number, k: number, n: number): number
  batchMatmul(...operands: number[]): void
  matmulPart(...operands: number[]): void
}

const SIZES = [1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31, 33, 64, 65, 100]
const SENTINEL = 0xdeadbeef
const GUARD = 64

describeBuilds<Products>('matrix products', 512, ({ name: build, words, floats, wasm }) => {
  /** Addresses of arrays of these lengths, with guards between. */
  function layout(lengths: number[]): number[] {
    words.fill(SENTINEL, 1 << 14)
    let at = 1 << 16
    return lengths.map((length) => {
      const address = at + GUARD
      at = Math.ceil((address + 4 * length + GUARD) / 16) * 16
      return address
    })
  }

  it('agree with plain loops for any sizes, and write nothing but the result and the scratch', () => {
    for (let trial = 0; trial < tries(150); trial++) {
      const key = keyOf(trial, build)
      const pick = (i: number) => SIZES[integer(key, i, SIZES.length)] as number
      const [m, k, n] = [pick(0), trial % 40 === 0 ? 0 : pick(1), pick(2)]
      const [transA, transB, withBias] = [trial & 1, (trial >> 1) & 1, (trial >> 2) & 1]
      const batch = trial % 3 === 0 ? 3 : 1
      const [sharedA, sharedB] = [integer(key, 3, 3) === 0, integer(key, 4, 3) === 0]
      const counts = [(sharedA ? 1 : batch) * m * k, (sharedB ? 1 : batch) * k * n, n, batch * m * n]
      const scratchWords = wasm.matmulScratch(m, k, n) / 4
      const [a, b, bias, out, scratch] = layout([...counts, scratchWords]) as [number, number, number, number, number]
      for (const [i, address] of [a, b, bias].entries()) {
        for (let j = 0; j < (counts[i] as number); j++) floats[address / 4 + j] = normal(key, 1000 * i + j)
      }
      const before = words.slice(0, scratch / 4 + scratchWords + GUARD)
      const [aStep, bStep] = [sharedA ? 0 : m * k, sharedB ? 0 : k * n]
      wasm.batchMatmul(a, b, out, batch, aStep, bStep, m, k, n, transA, transB, withBias ? bias : 0, scratch)

      const name = `${batch} x [${m}, ${k}, ${n}] ${transA}${transB}`
      const changed = before.findIndex((word, i) => {
        const inside = (start: number, length: number) => i >= start / 4 && i < start / 4 + length
        return word !== words[i] && !inside(out, batch * m * n) && !inside(scratch, scratchWords)
      })
      expect(changed, name).toBe(-1)
      for (let at = 0; at < batch * m * n; at++) {
        const [s, i, j] = [Math.floor(at / (m * n)), Math.floor(at / n) % m, at % n]
        let sum = withBias ? (floats[bias / 4 + j] as number) : 0
        let size = Math.abs(sum)
        for (let d = 0; d < k; d++) {
          const left = floats[a / 4 + s * aStep + (transA ? d * m + i : i * k + d)] as number
          const right = floats[b / 4 + s * bStep + (transB ? j * k + d : d * n + j)] as number
          sum += left * right
          size += Math.abs(left * right)
        }
        const error = Math.abs((floats[out / 4 + at] as number) - sum)
        if (!(error <= size * (k + 1) * 6e-8 + 1e-30)) expect(floats[out / 4 + at], `${name} at ${at}`).toBe(sum)
      }
    }
  })

  it('have the same bits for a share of the rows', () => {
    for (let trial = 0; trial < tries(40); trial++) {
      const key = keyOf(trial, 'rows')
      const [m, k, n] = [0, 1, 2].map((i) => SIZES[integer(key, i, SIZES.length)] as number) as [number, number, number]
      const [transA, transB] = [trial & 1, (trial >> 1) & 1]
      const lengths = [m * k, k * n, m * n, m * n, wasm.matmulScratch(m, k, n) / 4]
      const [a, b, whole, shares, scratch] = layout(lengths) as [number, number, number, number, number]
      for (let j = 0; j < m * k; j++) floats[a / 4 + j] = normal(key, j)
      for (let j = 0; j < k * n; j++) floats[b / 4 + j] = normal(key, 1e6 + j)
      const operands = [1, 0, 0, m, k, n, transA, transB, 0, scratch]
      wasm.batchMatmul(a, b, whole, ...operands)
      const cut = integer(key, 9, m + 1)
      if (cut > 0) wasm.matmulPart(a, b, shares, ...operands, 0, cut, 0, n)
      if (cut < m) wasm.matmulPart(a, b, shares, ...operands, cut, m, 0, n)
      const bits = (address: number) => words.slice(address / 4, address / 4 + m * n)
      expect(bits(shares), `[${m}, ${k}, ${n}] cut at ${cut}`).toEqual(bits(whole))
    }
  })
})

describe('tf.matMul', () => {
  onSimd()

  it.each([
    [[3, 4, 5], [3, 5, 6], false, false],
    [[1, 4, 5], [3, 5, 6], false, false],
    [[3, 5, 4], [1, 5, 6], true, false],
    [[2, 3, 4, 5], [2, 3, 6, 5], false, true],
    [[7, 9], [9, 1], false, false],
    [[0, 4], [4, 3], false, false],
    [[4, 0], [0, 3], false, false],
  ] as const)('of %j and %j is that of the stock backend', async (shapeA, shapeB, transA, transB) => {
    const values = (name: string, shape: readonly number[]) =>
      Float32Array.from({ length: tf.util.sizeFromShape([...shape]) }, (_, i) => normal(keyOf(1, name), i))
    const product = () =>
      tf.tidy(() => {
        const [a, b] = [tf.tensor(values('a', shapeA), [...shapeA]), tf.tensor(values('b', shapeB), [...shapeB])]
        const result = tf.matMul(a, b, transA, transB)
        return { shape: result.shape, values: [...result.dataSync()] }
      })
    const own = product()
    await tf.setBackend('cpu')
    const stock = product()
    await tf.setBackend('simd')
    expect(own.shape).toEqual(stock.shape)
    own.values.forEach((value, i) => {
      expect(value).toBeCloseTo(stock.values[i] as number, 4)
    })
  })

  it('leaves integers to the stock backend', () => {
    tf.tidy(() => {
      const a = tf.tensor2d([[1, 2]], [1, 2], 'int32')
      expect([...tf.matMul(a, a, false, true).dataSync()]).toEqual([5])
    })
  })
})
