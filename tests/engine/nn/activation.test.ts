import * as tf from '@tensorflow/tfjs-core'
import { expect, it } from 'vitest'
import { type Activation, activate } from '../../../engine/nn/layers/activation.ts'
import { onSimd } from '../backends/simd/setup.ts'

onSimd()

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

it.each([
  ['silu', (x) => x * sigmoid(x)],
  ['quick_gelu', (x) => x * sigmoid(1.702 * x)],
  ['relu', (x) => Math.max(0, x)],
] as [Activation, (x: number) => number][])('%s has the values and slopes of its formula', (name, formula) => {
  const xs = [-30, -3, -0.7, -1e-3, 0.2, 1, 4, 90]
  tf.tidy(() => {
    const x = tf.tensor1d(xs)
    const values = activate(x, name).dataSync()
    const slopes = tf
      .grad((given) => activate(given, name))(x)
      .dataSync()
    for (const [i, at] of xs.entries()) {
      expect(values[i]).toBeCloseTo(formula(at), 5)
      expect(slopes[i]).toBeCloseTo((formula(at + 1e-6) - formula(at - 1e-6)) / 2e-6, 4)
    }
  })
})
