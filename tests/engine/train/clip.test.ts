import { readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { readCase } from '../../../engine/conformance/case.ts'
import { relativeError } from '../../../engine/conformance/check.ts'
import { clipByGlobalNorm, globalNorm } from '../../../engine/train/clip.ts'
import { describeOnBoth } from './backends.ts'

describeOnBoth('globalNorm', () => {
  it('is the norm of the reference at each of its steps', () => {
    const file = readFileSync(new URL('../../golden/optim_lamb.safetensors', import.meta.url))
    const golden = readCase(file, 'optim_lamb')
    const norms = Array.from({ length: 5 }, (_, i) => {
      const gradients = [...golden.below(`step${i + 1}.grad.`).values()]
      return tf.tidy(
        () => globalNorm(gradients.map(({ shape, values }) => tf.tensor(values, shape))).dataSync()[0] ?? 0,
      )
    })
    expect(relativeError(norms, golden.tensor('grad_norm').values)).toBeLessThan(1e-6)
  })
})

describeOnBoth('clipByGlobalNorm', () => {
  /** Gradients of norm 13 after clipping, and the norm. */
  const clipped = (limit: number, scale = 1) =>
    tf.tidy(() => {
      const gradients = { a: tf.tensor1d([3 * scale, 4 * scale]), b: tf.tensor2d([[12 * scale]]) }
      const result = clipByGlobalNorm(gradients, limit)
      const values = Object.values(result.gradients).flatMap((gradient) => Array.from(gradient.dataSync()))
      return {
        values,
        shapes: Object.values(result.gradients).map(({ shape }) => shape),
        norm: result.norm.dataSync()[0],
      }
    })
  it('scales all by limit / (norm + 1e-6)', () => {
    const { values, shapes, norm } = clipped(6.5)
    expect(norm).toBe(13)
    expect(shapes).toEqual([[2], [1, 1]])
    const coefficient = 6.5 / (13 + 1e-6)
    expect(relativeError(values, [3 * coefficient, 4 * coefficient, 12 * coefficient])).toBeLessThan(1e-7)
  })
  it('adds 1e-6 to the norm also where that halves the step', () => {
    const { values } = clipped(1e-8, 1e-6 / 13) // norm 1e-6
    expect(values[2]).toBeCloseTo((12e-6 / 13) * (1e-8 / 2e-6), 13)
  })
  it('leaves smaller gradients as they are, and zeros at zero', () => {
    expect(clipped(13.1).values).toEqual([3, 4, 12])
    expect(clipped(1, 0)).toMatchObject({ values: [0, 0, 0], norm: 0 })
  })
  it('is two operations on simd, however many gradients there are', async () => {
    if (tf.getBackend() !== 'simd') return
    const profile = await tf.profile(() => {
      tf.tidy(() => {
        clipByGlobalNorm({ a: tf.ones([2]), b: tf.ones([3]) }, 1)
      })
      return []
    })
    const { kernelNames } = profile
    expect(kernelNames).toEqual(expect.arrayContaining(['GlobalNorm', 'ScaleAll']))
    expect(kernelNames).not.toContain('Pack')
  })
  it('hides no NaN', () => {
    expect(clipped(1, Number.NaN).values).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })
})
