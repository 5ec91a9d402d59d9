import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { avgPool, conv1d, conv2d, depthwiseConv2d, maxPool, patchEmbed } from '../../../../engine/nn/index.ts'
import { fileShape } from '../../../../engine/nn/layout.ts'
import { createModel, type Forward } from '../../../../engine/nn/model.ts'
import { drawn } from '../gradients.ts'

/** What a layer gives of an input, its parameters as they start, and their shapes in files. */
function applied(forward: Forward, input: number[] | tf.Tensor) {
  const shape = Array.isArray(input) ? input : input.shape
  const model = createModel(forward, { shape }, 3)
  const y = tf.tidy(() => model.apply(Array.isArray(input) ? drawn('x', input) : input))
  const files = model.parameters.map(({ name, shape, layout }) => `${name} ${fileShape(shape, layout)}`)
  const found = { shape: y.shape, values: [...y.dataSync()], files }
  y.dispose()
  model.dispose()
  return found
}

describe('shapes', () => {
  it.each<[string, number[], Forward, number[], string[]]>([
    ['conv2d', [2, 7, 6, 4], (x) => conv2d(x, 6, { stride: 2, groups: 2 }), [2, 4, 3, 6], ['conv.weight 6,2,3,3']],
    [
      'strides that differ',
      [2, 7, 6, 4],
      (x) => conv2d(x, 6, { stride: [2, 1] }),
      [2, 4, 6, 6],
      ['conv.weight 6,4,3,3'],
    ],
    ['dilation', [2, 7, 6, 4], (x) => conv2d(x, 6, { dilation: [2, 3] }), [2, 7, 6, 6], ['conv.weight 6,4,3,3']],
    [
      'depthwise',
      [2, 7, 6, 4],
      (x) => depthwiseConv2d(x, { kernel: [2, 5] }),
      [2, 7, 6, 4],
      ['depthwise.weight 4,1,2,5'],
    ],
    ['its stride', [2, 7, 6, 4], (x) => depthwiseConv2d(x, { stride: 3 }), [2, 3, 2, 4], ['depthwise.weight 4,1,3,3']],
    ['conv1d', [2, 9, 4], (x) => conv1d(x, 6, { kernel: 4, stride: 2 }), [2, 5, 6], ['conv.weight 6,4,4']],
    [
      'without padding',
      [2, 9, 4],
      (x) => conv1d(x, 4, { groups: 4, padding: 'valid' }),
      [2, 7, 4],
      ['conv.weight 4,1,3'],
    ],
    ['means', [2, 7, 6, 4], (x) => avgPool(x, { kernel: [2, 3], stride: [2, 1] }), [2, 4, 6, 4], []],
    [
      'maxima of whole windows',
      [2, 7, 6, 4],
      (x) => maxPool(x, { kernel: 2, stride: 2, padding: 'valid' }),
      [2, 3, 3, 4],
      [],
    ],
    ['along tokens', [2, 9, 4], (x) => avgPool(x, { kernel: 4, stride: 3 }), [2, 3, 4], []],
  ])('%s', (_, input, forward, shape, files) => {
    expect(applied(forward, input)).toMatchObject({ shape, files })
  })
})

it('tokens of a model that reads images lie as its patches do', () => {
  const layers = [
    (x: tf.Tensor, grid?: [number, number]) => depthwiseConv2d(x, grid && { grid }),
    (x: tf.Tensor, grid?: [number, number]) => maxPool(x, grid && { grid }),
  ]
  for (const layer of layers) {
    const patches = (x: tf.Tensor) => patchEmbed(x, 2, 5)
    const own = applied((x) => layer(patches(x)), [2, 4, 6, 3])
    expect(own.values).toEqual(applied((x) => layer(patches(x), [2, 3]), [2, 4, 6, 3]).values)
    expect(own.values).not.toEqual(applied((x) => layer(patches(x), [3, 2]), [2, 4, 6, 3]).values)
  }
})

it('a causal convolution sees no later token', () => {
  const layer: Forward = (x) => conv1d(x, 3, { kernel: 3, dilation: 2, padding: 'causal' })
  const x = drawn('x', [1, 8, 3])
  const changed = tf.tidy(() =>
    tf.add(
      x,
      tf.tensor3d(
        Array.from({ length: 24 }, (_, i) => Number(i >= 15)),
        [1, 8, 3],
      ),
    ),
  )
  const [before, after] = [applied(layer, x).values, applied(layer, changed).values]
  expect(after.slice(0, 15)).toEqual(before.slice(0, 15))
  expect(after[15]).not.toBe(before[15])
  tf.dispose([x, changed])
})

it('a mean at the border is of what is inside', () => {
  const ones = tf.ones([1, 4, 5, 2])
  expect(applied((x) => avgPool(x), ones).values).toEqual(Array(40).fill(1))
  ones.dispose()
})
