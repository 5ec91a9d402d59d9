import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { dense, layerNorm, scope, tokenDense } from '../../../engine/nn/index.ts'
import { createModel, type Forward } from '../../../engine/nn/model.ts'

/** Names and shapes of the parameters of a model. */
function parametersOf(forward: Forward): string[] {
  const model = createModel(forward, { shape: [1, 3, 4] }, 1)
  const names = model.parameters.map(({ name, shape }) => `${name} [${shape}]`)
  model.dispose()
  return names
}

describe('parameters', () => {
  it('are named by place, and take their input sizes from the tensor', () => {
    const forward: Forward = (x) => scope('blocks', 'blocks.0', () => dense(dense(layerNorm(x), 8), 4))
    expect(parametersOf(forward)).toEqual([
      'blocks.0.norm.weight [4]',
      'blocks.0.norm.bias [4]',
      'blocks.0.dense.weight [4,8]',
      'blocks.0.dense.bias [8]',
      'blocks.0.dense_1.weight [8,4]',
      'blocks.0.dense_1.bias [4]',
    ])
  })
  it('take an explicit name', () => {
    expect(parametersOf((x) => tokenDense(x, { name: 'mlp.proj', bias: false }))).toEqual(['mlp.proj.weight [3,3]'])
  })
  it('refuse a name twice in one model', () => {
    const forward: Forward = (x) => dense(dense(x, 4, { name: 'fc' }), 4, { name: 'fc' })
    expect(() => parametersOf(forward)).toThrow('fc: name used twice in one model')
  })
  it('refuse a size that is no whole number', () => {
    expect(() => parametersOf((x) => dense(x, 2.5))).toThrow('dense.weight: shape [4,2.5], expected whole numbers')
    expect(() => parametersOf((x) => dense(x, 1e9))).toThrow(
      'dense.weight: shape [4,1000000000] has 4000000000 values, expected at most 1073741824',
    )
  })
  it('are made only inside a model', () => {
    tf.tidy(() => {
      const x = tf.zeros([1])
      expect(() => dense(x, 4)).toThrow('dense: only works inside a block')
    })
  })
  it('start from values that depend on seed and name alone', () => {
    const values = (seed: number, forward: Forward) => {
      const model = createModel(forward, { shape: [1, 3, 4] }, seed)
      const found = model.parameters.find(({ name }) => name === 'head.weight')?.variable.dataSync()
      model.dispose()
      return [...(found ?? [])]
    }
    const alone = values(1, (x) => dense(x, 4, { name: 'head' }))
    expect(values(1, (x) => dense(dense(x, 4), 4, { name: 'head' }))).toEqual(alone)
    expect(values(2, (x) => dense(x, 4, { name: 'head' }))).not.toEqual(alone)
  })
  it('leave nothing behind when the model cannot be made', () => {
    const before = tf.memory().numTensors
    expect(() => createModel((x) => dense(dense(x, 4), -1), { shape: [1, 3, 4] }, 1)).toThrow('dense_1.weight')
    expect(tf.memory().numTensors).toBe(before)
  })
})
