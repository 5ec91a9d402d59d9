import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws, sameAsStock, withGradients } from './stock.ts'

onSimd()

const TYPES = ['float32', 'int32'] as const

/** The tensor of `values` in one of the types that are copied. */
function typed(values: Float32Array, shape: number[], dtype: 'float32' | 'int32'): tf.Tensor {
  return tf.tensor(dtype === 'int32' ? Int32Array.from(values) : values, shape, dtype)
}

describe('shape kernels', () => {
  it('transpose by any permutation, with its gradient', async () => {
    const draws = new Draws('transpose')
    for (let i = 0; i < tries(150); i++) {
      const shape = draws.shape(draws.below(7))
      const perm = draws.permutation(shape.length)
      const x = draws.values(shape, true)
      const dtype = TYPES[i % 2] as 'float32'
      await sameAsStock(`[${shape}] by [${perm}]`, () => [tf.transpose(typed(x, shape, dtype), perm)])
      const f = (y: tf.Tensor) => tf.transpose(y, perm)
      await sameAsStock('gradient', () => withGradients(f as never, [tf.tensor(x, shape)]))
    }
    for (const [rows, columns] of [
      [67, 130],
      [128, 64],
      [3, 1000],
      [1000, 3],
    ] as const) {
      const x = draws.values([2, rows, columns])
      await sameAsStock('large', () => [tf.transpose(tf.tensor(x, [2, rows, columns]), [0, 2, 1])])
    }
  })

  it('slice and split', async () => {
    const draws = new Draws('slice')
    for (let i = 0; i < tries(150); i++) {
      const shape = draws.shape(1 + draws.below(5))
      const begin = shape.map((size) => draws.below(size + 1))
      const size = shape.map((n, axis) => draws.below(n - (begin[axis] as number) + 1))
      const x = draws.values(shape, true)
      const dtype = TYPES[i % 2] as 'float32'
      await sameAsStock(`[${shape}] from [${begin}] of [${size}]`, () => [
        tf.slice(typed(x, shape, dtype), begin, size),
      ])
      const axis = draws.below(shape.length)
      const first = draws.below((shape[axis] as number) + 1)
      const sizes = [first, (shape[axis] as number) - first]
      await sameAsStock(`split [${shape}] at ${axis}`, () => tf.split(typed(x, shape, dtype), sizes, axis))
    }
  })

  it('slice and split have the gradients of stock', async () => {
    const x = new Draws('split gradient').values([3, 4, 10])
    const gate = (y: tf.Tensor) => {
      const [u, v] = tf.split(y, 2, -1) as [tf.Tensor, tf.Tensor]
      return tf.mul(u, v)
    }
    await sameAsStock('split', () => withGradients(gate as never, [tf.tensor(x, [3, 4, 10])]))
    const slice = (y: tf.Tensor) => tf.slice(y, [1, 0, 3], [2, 4, 5])
    await sameAsStock('slice', () => withGradients(slice as never, [tf.tensor(x, [3, 4, 10])]))
  })

  it('concat, stack and unstack', async () => {
    const draws = new Draws('concat')
    for (let i = 0; i < tries(100); i++) {
      const shape = draws.shape(1 + draws.below(4))
      const axis = draws.below(shape.length)
      const shapes = Array.from({ length: 1 + draws.below(4) }, () => shape.with(axis, draws.below(6)))
      const parts = shapes.map((own) => draws.values(own, true))
      const dtype = TYPES[i % 2] as 'float32'
      const join = () =>
        tf.concat(
          shapes.map((own, part) => typed(parts[part] as Float32Array, own, dtype)),
          axis,
        )
      await sameAsStock(`concat ${shapes.map((own) => `[${own}]`)} at ${axis}`, () => [join()])
      const at = draws.below(shape.length + 1)
      const same = Array.from({ length: 1 + draws.below(3) }, () => draws.values(shape))
      await sameAsStock(`stack [${shape}] at ${at}`, () => [
        tf.stack(
          same.map((x) => typed(x, shape, dtype)),
          at,
        ),
      ])
      await sameAsStock('unstack', () => tf.unstack(typed(same[0] as Float32Array, shape, dtype), axis))
    }
    const x = draws.values([2, 3, 5])
    const f = (y: tf.Tensor, z: tf.Tensor) => tf.mul(tf.concat([y, z], 1), tf.concat([z, y], 1))
    await sameAsStock('gradient', () => withGradients(f as never, [tf.tensor(x, [2, 3, 5]), tf.tensor(x, [2, 3, 5])]))
  })

  it('pad and tile', async () => {
    const draws = new Draws('pad')
    for (let i = 0; i < tries(100); i++) {
      const shape = draws.shape(1 + draws.below(4))
      const paddings = shape.map((): [number, number] => [draws.below(3), draws.below(3)])
      const x = draws.values(shape, true)
      const dtype = TYPES[i % 2] as 'float32'
      const value = [0, 3][draws.below(2)] as number
      await sameAsStock(`pad [${shape}]`, () => [tf.pad(typed(x, shape, dtype), paddings, value)])
      const reps = shape.map(() => 1 + draws.below(3))
      await sameAsStock(`tile [${shape}] [${reps}]`, () => [tf.tile(typed(x, shape, dtype), reps)])
    }
    const x = draws.values([2, 3, 5])
    const padded = (y: tf.Tensor) =>
      tf.pad(y, [
        [1, 0],
        [0, 2],
        [1, 1],
      ])
    await sameAsStock('gradient', () => withGradients(padded as never, [tf.tensor(x, [2, 3, 5])]))
    const tiled = (y: tf.Tensor) => tf.tile(y, [2, 1, 3])
    await sameAsStock('gradient', () => withGradients(tiled as never, [tf.tensor(x, [2, 3, 5])]), 1e-5)
  })

  it('fill, zeros and ones', async () => {
    for (const dtype of TYPES) {
      await sameAsStock('fill', () => [tf.fill([3, 7], -2, dtype), tf.fill([0], 1, dtype), tf.fill([], 4, dtype)])
      const like = () => tf.zeros([3, 5], dtype)
      await sameAsStock('like', () => [tf.zerosLike(like()), tf.onesLike(like())])
    }
    await sameAsStock('bool', () => [tf.onesLike(tf.tensor1d([false], 'bool'))])
  })

  it('cast to real numbers of the new type, and leave the tensor as it was', async () => {
    const integers = new Int32Array([1, -2, 16_777_217, 0, 5])
    await sameAsStock('cast', () => {
      const [x, y] = [tf.tensor1d(integers, 'int32'), tf.tensor1d([true, false, true], 'bool')]
      const [float, whole] = [tf.cast(y, 'float32'), tf.cast(y, 'int32')]
      const results = [tf.mul(tf.cast(x, 'float32'), 0.5), tf.mul(float, 2.5), tf.add(whole, 1), tf.add(whole, 0.5)]
      return [...results, tf.add(x, 1), tf.logicalNot(y), tf.cast(tf.tensor1d([1.7, -1.7]), 'int32')]
    })
  })

  it('stridedSlice does not read memory that was given back', async () => {
    await tf.setBackend('simd')
    const found = tf.tidy(() => {
      const part = tf.tidy(() => {
        const x = tf.add(tf.range(0, 64), 0)
        return tf.stridedSlice(x, [8], [12], [1])
      })
      tf.add(tf.zeros([64]), 7) // the same size class
      return [...part.dataSync()]
    })
    expect(found).toEqual([8, 9, 10, 11])
  })
})

describe('gather and its gradient', () => {
  it('are as stock', async () => {
    const draws = new Draws('gather')
    for (let i = 0; i < tries(80); i++) {
      const shape = draws.shape(1 + draws.below(4)).map((size) => Math.max(1, size))
      const axis = draws.below(shape.length)
      const chosen = draws.shape(1 + draws.below(2))
      const indices = draws.integers(chosen, shape[axis] as number)
      const x = draws.values(shape)
      const f = (y: tf.Tensor) => tf.gather(y, tf.tensor(indices, chosen as [number], 'int32') as tf.Tensor1D, axis)
      await sameAsStock(`gather [${chosen}] of [${shape}] at ${axis}`, () => [f(tf.tensor(x, shape))])
      if (chosen.includes(0)) continue
      await sameAsStock('gradient', () => withGradients(f as never, [tf.tensor(x, shape)]), 1e-5)
    }
  })

  it('rows without a segment go nowhere', async () => {
    const x = new Draws('segments').values([5, 6])
    const ids = [3, -1, 0, 9, 3]
    await sameAsStock('segments', () => [
      tf.unsortedSegmentSum(tf.tensor(x, [5, 6]), tf.tensor1d(ids, 'int32'), 4),
      tf.unsortedSegmentSum(tf.tensor1d(x.slice(0, 5)) as tf.Tensor, tf.tensor1d(ids, 'int32'), 4),
    ])
  })

  it('an index out of range is refused as stock refuses it', async () => {
    await tf.setBackend('simd')
    const wrong = () => tf.tidy(() => tf.gather(tf.zeros([3, 2]), tf.tensor1d([0, 3], 'int32')).dataSync())
    expect(wrong).toThrow('the index value 3 is not in [0, 2]')
  })

  it('oneHot leaves ids out of range off', async () => {
    const ids = [0, 4, -1, 5, 2]
    for (const dtype of TYPES) {
      await sameAsStock('oneHot', () => [tf.oneHot(tf.tensor1d(ids, 'int32'), 5, 2, -3, dtype)])
    }
    await sameAsStock('2D', () => [
      tf.oneHot(
        tf.tensor2d(
          [
            [0, 1],
            [2, 9],
          ],
          [2, 2],
          'int32',
        ),
        3,
      ),
    ])
  })
})
