import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws, sameAsStock, withGradients } from './stock.ts'

onSimd()

const BINARY = {
  add: tf.add,
  sub: tf.sub,
  mul: tf.mul,
  div: tf.div,
  maximum: tf.maximum,
  minimum: tf.minimum,
  squaredDifference: tf.squaredDifference,
} as const

const UNARY = {
  neg: tf.neg,
  square: tf.square,
  sqrt: tf.sqrt,
  rsqrt: tf.rsqrt,
  exp: tf.exp,
  tanh: tf.tanh,
  sigmoid: tf.sigmoid,
  relu: tf.relu,
  abs: tf.abs,
  reciprocal: tf.reciprocal,
  log: tf.log,
  step: tf.step,
  sin: tf.sin,
  cos: tf.cos,
} as const

/** Two shapes that broadcast: axes dropped from the front and set to 1 at random. */
function broadcastPair(draws: Draws): [number[], number[]] {
  const shape = draws.shape(draws.below(6))
  const side = () => {
    const kept = shape.slice(draws.below(3) === 0 ? draws.below(shape.length + 1) : 0)
    const sparse = draws.below(2) === 0
    return kept.map((size) => (sparse && draws.below(2) === 0 ? 1 : size))
  }
  return [side(), side()]
}

describe('binary kernels', () => {
  for (const [name, op] of Object.entries(BINARY)) {
    it(`${name} is as stock for random broadcasts`, async () => {
      const draws = new Draws(name)
      for (let i = 0; i < tries(60); i++) {
        const [left, right] = broadcastPair(draws)
        const [a, b] = [draws.values(left, true), draws.values(right, true)]
        const compute = () => [op(tf.tensor(a, left), tf.tensor(b, right))]
        await sameAsStock(`${name} [${left}] [${right}]`, compute)
      }
    })
  }

  it('have the gradients of stock', async () => {
    const draws = new Draws('binary gradients')
    for (let i = 0; i < tries(60); i++) {
      const [left, right] = broadcastPair(draws)
      // tfjs has no gradient for empty tensors that broadcast
      if ([...left, ...right].includes(0) && !tf.util.arraysEqual(left, right)) continue
      const [a, b] = [draws.values(left), draws.values(right)]
      for (const [name, op] of Object.entries(BINARY)) {
        // tfjs has no gradient for these where they broadcast
        if (/imum|squared/.test(name) && !tf.util.arraysEqual(left, right)) continue
        const inputs = () => [
          tf.tensor(a, left),
          tf.tensor(
            b.map((x) => x + Math.sign(x)),
            right,
          ),
        ]
        const compute = () => withGradients((x, y) => op(x as tf.Tensor, y as tf.Tensor), inputs())
        await sameAsStock(`${name} [${left}] [${right}]`, compute, 1e-5)
      }
    }
  })

  it('broadcast the shapes of training in whole rows and columns', async () => {
    const draws = new Draws('training shapes')
    const pairs = [
      [[3, 5, 17], [17]],
      [[3, 37, 23], [23]],
      [[9, 70], [70]],
      [
        [3, 5, 17],
        [5, 1],
      ],
      [
        [3, 5, 17],
        [3, 5, 1],
      ],
      [
        [3, 5, 17],
        [1, 5, 17],
      ],
      [[3, 5, 17], []],
      [[1], [3, 5, 17]],
      [
        [2, 3, 1, 5],
        [1, 7, 5],
      ],
      [
        [2, 1, 3, 1, 2],
        [3, 1, 4, 1],
      ],
    ] as const
    for (const [left, right] of pairs) {
      const [a, b] = [draws.values([...left]), draws.values([...right])]
      const compute = () => {
        const [x, y] = [tf.tensor(a, [...left]), tf.tensor(b, [...right])]
        return [tf.sub(x, y), tf.sub(y, x)]
      }
      await sameAsStock(`sub [${left}] [${right}]`, compute)
    }
  })

  it('leave other types to stock, and addN adds in order', async () => {
    await sameAsStock('int32', () => [tf.div(tf.tensor1d([7, 8], 'int32'), tf.tensor1d([2, 3], 'int32'))])
    await sameAsStock('int32 and float32', () => [tf.mul(tf.tensor1d([7, 8, -9], 'int32'), 0.5)])
    const terms = [1, 2, 3].map((seed) => new Draws(`addN ${seed}`).values([3, 7]))
    await sameAsStock('addN', () => [tf.addN(terms.map((term) => tf.tensor(term, [3, 7])))])
    await sameAsStock('addN of one', () => [tf.addN([tf.tensor(terms[0] as Float32Array)])])
  })
})

describe('unary kernels', () => {
  for (const [name, op] of Object.entries(UNARY)) {
    it(`${name} is as stock, with its gradient`, async () => {
      const draws = new Draws(name)
      for (let i = 0; i < tries(60); i++) {
        const shape = draws.shape(draws.below(5))
        const x = draws.values(shape, true)
        await sameAsStock(name, () => [op(tf.tensor(x, shape))])
        const tame = draws.values(shape).map((value) => Math.abs(value) + 0.1)
        if (name !== 'step')
          await sameAsStock(
            `${name} gradient`,
            () => withGradients((y) => op(y as tf.Tensor), [tf.tensor(tame, shape)]),
            2e-6,
          )
      }
    })
  }

  const exact = {
    exp: { op: tf.exp, f: Math.exp, from: -103, to: 90 },
    tanh: { op: tf.tanh, f: Math.tanh, from: -12, to: 12 },
    sigmoid: { op: tf.sigmoid, f: (x: number) => 1 / (1 + Math.exp(-x)), from: -85, to: 85 },
    erf: { op: tf.erf, f: erf, from: -6, to: 6 },
  }
  for (const [name, { op, f, from, to }] of Object.entries(exact)) {
    it(`${name} is within 3 units in the last place`, async () => {
      await tf.setBackend('simd')
      const count = 100_003
      const wide = Float32Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count)
      const small = Float32Array.from({ length: 1000 }, (_, i) => (i % 2 ? -1 : 1) * 1.09 ** -i)
      for (const x of [wide, small]) {
        const y = tf.tidy(() => op(tf.tensor1d(x)).dataSync())
        let worst = 0
        x.forEach((value, i) => {
          const target = f(value)
          if (target > 3.4028235e38) expect(y[i]).toBe(Number.POSITIVE_INFINITY)
          else worst = Math.max(worst, Math.abs((y[i] as number) - target) / unit(target))
        })
        expect(worst).toBeLessThan(3)
      }
    })
  }

  it.each([
    ['sin', tf.sin, Math.sin],
    ['cos', tf.cos, Math.cos],
  ] as const)('%s is that of JavaScript, rounded', async (_, op, f) => {
    await tf.setBackend('simd')
    const count = 100_003
    const angles = Float32Array.from({ length: count }, (_, i) => (i % 2 ? -1 : 1) * 2 ** (-30 + (60 * i) / count))
    const quarters = Float32Array.from({ length: 1000 }, (_, i) => (i * Math.PI) / 2)
    const ends = Float32Array.of(0, -0, 65535.99609375, 65536, Number.POSITIVE_INFINITY, Number.NaN, 3e38, -1e-40)
    for (const x of [angles, quarters, ends]) {
      const y = tf.tidy(() => op(tf.tensor1d(x)).dataSync())
      expect(x.findIndex((value, i) => !Object.is(y[i], Math.fround(f(value))))).toBe(-1)
    }
  })

  it('erf of the ends is exact', async () => {
    await tf.setBackend('simd')
    const x = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 3e38]
    expect([...tf.tidy(() => tf.erf(x).dataSync())]).toEqual([0, 1, -1, Number.NaN, 1])
  })
})

/** Distance of neighbouring float32 numbers at x. */
function unit(x: number): number {
  return 2 ** (Math.max(-126, Math.floor(Math.log2(Math.abs(x)))) - 23)
}

/** By its series, and for large x by its continued fraction. */
function erf(x: number): number {
  const t = Math.abs(x)
  if (t < 3) {
    let [term, total] = [t, t]
    for (let n = 1; n < 100; n++) {
      term *= (-t * t) / n
      total += term / (2 * n + 1)
    }
    return (Math.sign(x) * 2 * total) / Math.sqrt(Math.PI)
  }
  let fraction = t
  for (let n = 60; n > 0; n--) fraction = t + n / 2 / fraction
  return Math.sign(x) * (1 - Math.exp(-t * t) / (fraction * Math.sqrt(Math.PI)))
}
