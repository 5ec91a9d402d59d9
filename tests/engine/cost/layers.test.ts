import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { traceModel } from '../../../engine/cost/trace.ts'
import { dense, ones, parameter, scope } from '../../../engine/nn/index.ts'
import type { Forward } from '../../../engine/nn/model.ts'

const layersOf = async (forward: Forward) => (await traceModel(forward, { shape: [1, 4] })).layers

describe('layers', () => {
  it('are scopes in the order they were entered, outer ones with what is inside', async () => {
    const forward: Forward = (x) =>
      scope('blocks', 'blocks.0', () => {
        const y = dense(x, 3, { name: 'mlp.fc1' })
        return dense(tf.relu(y), 2, { name: 'mlp.fc2' })
      })
    expect(await layersOf(forward)).toEqual([
      { name: 'blocks.0', depth: 0, parameters: 15 + 8, macs: 12 + 6, outputShape: [1, 2] },
      { name: 'blocks.0.mlp.fc1', depth: 1, parameters: 15, macs: 12, outputShape: [1, 3] },
      { name: 'blocks.0.mlp.fc2', depth: 1, parameters: 8, macs: 6, outputShape: [1, 2] },
    ])
  })
  it('tell dense from dense_1', async () => {
    const names = (await layersOf((x) => dense(dense(x, 3), 2))).map(({ name, parameters }) => [name, parameters])
    expect(names).toEqual([
      ['dense', 15],
      ['dense_1', 8],
    ])
  })
  it('hold parameters and work outside of all scopes too', async () => {
    const forward: Forward = (x) => {
      const position = tf.add(dense(x, 3, { name: 'fc' }), parameter('position', [1, 3], ones))
      return tf.matMul(position as tf.Tensor2D, parameter('table', [3, 5], ones) as tf.Tensor as tf.Tensor2D)
    }
    expect(await layersOf(forward)).toEqual([
      { name: 'fc', depth: 0, parameters: 15, macs: 12, outputShape: [1, 3] },
      { name: '', depth: 0, parameters: 0, macs: 15, outputShape: [1, 5] },
      { name: 'position', depth: 0, parameters: 3, macs: 0, outputShape: [1, 3] },
      { name: 'table', depth: 0, parameters: 15, macs: 0, outputShape: [3, 5] },
    ])
  })
})
