import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { residual } from '../../../../engine/nn/layers/residual.ts'
import { type Pass, runInPass } from '../../../../engine/nn/scope.ts'

function dropped(pass: Partial<Pass>, samples = 400): number[] {
  const all: Pass = { parameters: new Map(), seed: 1, create: null, training: true, step: 0, dropPath: 0.25, ...pass }
  return tf.tidy(() => [
    ...runInPass(all, () => residual(tf.zeros([samples, 1, 1]), tf.ones([samples, 1, 1]))).dataSync(),
  ])
}

describe('stochastic depth', () => {
  it('drops whole samples at the rate and scales the others', () => {
    const values = dropped({})
    expect(new Set(values)).toEqual(new Set([0, Math.fround(4 / 3)]))
    const rate = values.filter((value) => value === 0).length / values.length
    expect(rate).toBeGreaterThan(0.18)
    expect(rate).toBeLessThan(0.32)
  })
  it('draws by seed and step', () => {
    expect(dropped({})).toEqual(dropped({}))
    expect(dropped({ step: 1 })).not.toEqual(dropped({}))
    expect(dropped({ seed: 2 })).not.toEqual(dropped({}))
  })
  it('does nothing in evaluation or at rate 0', () => {
    expect(new Set(dropped({ training: false }))).toEqual(new Set([1]))
    expect(new Set(dropped({ dropPath: 0 }))).toEqual(new Set([1]))
  })
})
