import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws, sameAsStock, withGradients } from './stock.ts'

onSimd()

const REDUCTIONS = { sum: tf.sum, mean: tf.mean, max: tf.max } as const

function someAxes(draws: Draws, rank: number): number[] {
  return Array.from({ length: rank }, (_, axis) => axis).filter(() => draws.below(2) === 0)
}

describe('reductions', () => {
  for (const [name, op] of Object.entries(REDUCTIONS)) {
    it(`${name} over any axes is as stock`, async () => {
      const draws = new Draws(name)
      for (let i = 0; i < tries(150); i++) {
        const shape = draws.shape(draws.below(6))
        const axes = someAxes(draws, shape.length)
        // nothing has no mean and no largest value
        if (name !== 'sum' && shape.includes(0)) continue
        // sums that cancel depend on their order
        const x = draws
          .values(shape, i % 3 === 0)
          .map((value) => (Math.abs(value) > 1e20 && value ** 2 !== value ? 1 : value))
        const keep = draws.below(2) === 0
        await sameAsStock(`${name} [${shape}] over [${axes}]`, () => [op(tf.tensor(x, shape), axes, keep)], 2e-5)
      }
    })

    it(`${name} has the gradient of stock`, async () => {
      const draws = new Draws(`${name} gradient`)
      for (let i = 0; i < tries(30); i++) {
        const shape = draws.shape(1 + draws.below(4)).map((size) => Math.max(1, size))
        const axes = someAxes(draws, shape.length)
        const x = draws.values(shape)
        const f = (y: tf.Tensor) => op(y, axes)
        await sameAsStock(
          `${name} [${shape}] over [${axes}]`,
          () => withGradients(f as never, [tf.tensor(x, shape)]),
          2e-5,
        )
      }
    })
  }

  it('treat all axes as stock where none is named, and negative ones', async () => {
    const x = new Draws('all axes').values([3, 5, 7])
    for (const op of Object.values(REDUCTIONS)) {
      await sameAsStock('all', () => [op(tf.tensor(x, [3, 5, 7]))], 1e-5)
      await sameAsStock('negative', () => [op(tf.tensor(x, [3, 5, 7]), -2, true)], 1e-5)
    }
    await sameAsStock('int32', () => [tf.sum(tf.tensor1d([1, 2, 3], 'int32')), tf.max(tf.tensor1d([1, 3], 'int32'))])
  })

  it('stay accurate over long rows and long columns', async () => {
    await tf.setBackend('simd')
    const [rows, columns] = [70_001, 3]
    const x = new Draws('long').values([rows, columns]).map((value) => value + 1)
    const wanted = [0, 0, 0]
    x.forEach((value, i) => {
      wanted[i % columns] = (wanted[i % columns] as number) + value
    })
    const all = wanted.reduce((total, value) => total + value, 0)
    const found = tf.tidy(() => {
      const tensor = tf.tensor2d(x, [rows, columns])
      const turned = tf.transpose(tensor)
      return [tf.sum(tensor, 0), tf.sum(turned, 1), tf.sum(tensor)].map((sum) => [...sum.dataSync()])
    })
    for (const [i, target] of [wanted, wanted, [all]].entries()) {
      target.forEach((value, j) => {
        expect(Math.abs((found[i]?.[j] as number) / value - 1)).toBeLessThan(1e-6)
      })
    }
  })

  it('add a row in an order that its neighbours do not change', async () => {
    await tf.setBackend('simd')
    const [rows, size] = [7, 1037]
    const x = new Draws('order').values([rows, size])
    const [together, alone] = tf.tidy(() => {
      const tensor = tf.tensor2d(x, [rows, size])
      const single = Array.from({ length: rows }, (_, i) => tf.sum(tf.slice(tensor, [i, 0], [1, size])).dataSync()[0])
      return [[...tf.sum(tensor, 1).dataSync()], single]
    })
    expect(together).toEqual(alone)
  })
})

describe('softmax', () => {
  it('is as stock, forward and backward', async () => {
    const draws = new Draws('softmax')
    for (let i = 0; i < tries(80); i++) {
      const shape = draws.shape(1 + draws.below(4))
      if (shape.includes(0)) continue
      const x = draws.values(shape, i % 4 === 0)
      await sameAsStock(`softmax [${shape}]`, () => [tf.softmax(tf.tensor(x, shape))])
      const tame = draws.values(shape)
      for (const f of [tf.softmax, tf.logSoftmax]) {
        const compute = () => withGradients((y) => f(y as tf.Tensor), [tf.tensor(tame, shape)])
        await sameAsStock(`${f.name} gradient [${shape}]`, compute, 5e-6)
      }
    }
  })

  it('has the bits of exponentials that may underflow', async () => {
    await tf.setBackend('simd')
    const draws = new Draws('underflow')
    // one more element, of weight 0, that does not change in which order the others are added up
    for (const size of [1, 2, 4, 5, 8, 30, 64, 130]) {
      const x = draws.values([5, size])
      const [alone, beside] = tf.tidy(() => {
        const rows = tf.tensor2d(x, [5, size])
        const wide = tf.softmax(tf.concat([rows, tf.fill([5, 1], -1e4)], 1))
        return [tf.softmax(rows).dataSync(), tf.slice(wide, [0, 0], [5, size]).dataSync()]
      })
      expect(alone).toEqual(beside)
    }
  })

  it('of rows with NaN or only -Infinity is NaN there and nowhere else', async () => {
    const low = Number.NEGATIVE_INFINITY
    const rows = [
      [1, Number.NaN, 2, 3, 4],
      [low, low, low, low, low],
      [low, 0, low, 1, 1],
      [0, 1e30, 0, 0, -1e30],
    ]
    await sameAsStock('special rows', () => [tf.softmax(tf.tensor2d(rows))])
  })

  it('of nothing is nothing', async () => {
    await tf.setBackend('simd')
    const shapes = tf.tidy(() =>
      [
        [0, 4],
        [4, 0],
      ].map((shape) => tf.softmax(tf.zeros(shape)).shape),
    )
    expect(shapes).toEqual([
      [0, 4],
      [4, 0],
    ])
  })
})
