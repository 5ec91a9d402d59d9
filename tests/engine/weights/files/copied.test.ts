import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp, mixer } from '../../../../engine/index.ts'
import { assemble } from '../../../../engine/nn/frame.ts'
import { fileShape } from '../../../../engine/nn/layout.ts'
import { createModel, type Model } from '../../../../engine/nn/model.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import type { Block } from '../../../../engine/nn/types.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import { copied } from '../../../../engine/weights/files/copied.ts'
import { fitting } from '../../../../engine/weights/files/fitting.ts'
import { loadTensors, writeWeights } from '../../../../engine/weights/model.ts'
import { readSafetensors } from '../../../../engine/weights/safetensors.ts'

const SIDE = 8

/** A model of images with so many pixels along each side, in patches of 4, all of whose values are drawn. */
function modelOf(block: Block, side: number): Model {
  const forward = assemble(block, resolveSize(block, { patch: 4, dim: 8, depth: 2, ffn: 16 }, 'test'), 'image', {
    outputs: 3,
  })
  const model = createModel(forward, { shape: [1, side, side, 1] }, 1)
  for (const { name, shape, variable } of model.parameters) {
    const values = Float32Array.from(
      { length: tf.util.sizeFromShape(shape) },
      (_, i) => 0.3 * normal(keyOf(1, name), i),
    )
    tf.tidy(() => variable.assign(tf.tensor(values, shape)))
  }
  return model
}

/** The weights of the one in the other, by copies. */
async function copyInto(larger: Model, smaller: Model): Promise<void> {
  const { tensors } = readSafetensors(await writeWeights(smaller.parameters), 'weights')
  const wanted = larger.parameters.map(({ name, shape, layout, tokenGrid }) => {
    return { name, shape: fileShape(shape, layout), tokenGrid, inHead: name.startsWith('head.') }
  })
  loadTensors(larger.parameters, fitting(tensors, wanted, { tokens: 'copied', source: 'weights' }), 'weights')
}

describe('matrices over tokens by copies', () => {
  it.each([
    ['mixer', 2, mixer({ tokenRatio: 0.5 }), mixer({ tokenRatio: 2 })],
    ['mixer with as many hidden tokens as a larger image has', 2, mixer({ tokenRatio: 2 }), mixer({ tokenRatio: 8 })],
    ['mixer, three times as large', 3, mixer({ tokenRatio: 1 }), mixer({ tokenRatio: 9 })],
    ['gmlp', 2, gmlp, gmlp],
  ] as const)('see parts of an image as they saw images: %s', async (_, times, small, large) => {
    const [smaller, larger] = [modelOf(small, SIDE), modelOf(large, times * SIDE)]
    await copyInto(larger, smaller)
    const side = times * SIDE
    const pixels = Float32Array.from({ length: side * side }, (_, i) => normal(keyOf(2, 'image'), i))
    const [means, logits] = tf.tidy(() => {
      const image = tf.tensor4d(pixels, [1, side, side, 1])
      const tiles = [...Array(times * times).keys()].map((i) =>
        tf.slice(image, [0, SIDE * Math.floor(i / times), SIDE * (i % times), 0], [1, SIDE, SIDE, 1]),
      )
      const apart = smaller.apply(tf.concat(tiles, 0), { training: false }) // the head takes the mean of all tokens
      return [tf.mean(apart, 0).dataSync(), larger.apply(image, { training: false }).dataSync()] as const
    })
    for (const [i, value] of logits.entries()) expect(value).toBeCloseTo(means[i] as number, 4)
    for (const model of [smaller, larger]) model.dispose()
  })

  it('repeat what has tokens along one axis', () => {
    const positions = { name: 'pos_embed', shape: [1, 4, 1], values: Float32Array.of(1, 2, 3, 4) }
    const found = copied(positions, { name: 'pos_embed', shape: [1, 16, 1], inHead: false }, { from: 4, to: 16 })
    expect([...(found?.values ?? [])]).toEqual([1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4])
  })

  it.each([
    [[4, 4], [8, 8], 4, 8],
    [[4, 4], [9, 9], 4, 9],
    [[4, 5], [16, 16], 4, 16],
    [[1, 5, 2], [1, 17, 2], 4, 16],
    [[4, 4], [16], 4, 16],
  ])('are not made of %j for %j', (shape, other, from, to) => {
    const size = shape.reduce((product, length) => product * length, 1)
    const tensor = { name: 'w', shape, values: new Float32Array(size) }
    expect(copied(tensor, { name: 'w', shape: other, inHead: false, tokenGrid: null }, { from, to })).toBeNull()
  })
})
