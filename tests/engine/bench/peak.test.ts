import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import type { SimdBackend } from '../../../engine/backends/simd/backend.ts'
import { measureRates } from '../../../engine/bench/peak.ts'
import { onSimd } from '../backends/simd/setup.ts'

onSimd()

it('multiplies and adds in twelve sums', () => {
  expect((tf.backend() as SimdBackend).wasm.fmaPeak(1000)).toBeCloseTo(12)
})

it('measures what the machine can do', () => {
  const { fma, matmul } = measureRates()
  expect(fma).toBeGreaterThan(0)
  expect(matmul).toBeGreaterThan(0)
})
