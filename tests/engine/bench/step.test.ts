import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { type Configuration, configurations } from '../../../engine/bench/configurations.ts'
import { hasPlainTwin, preparePlain } from '../../../engine/bench/plain.ts'
import { profileKernels } from '../../../engine/bench/profile.ts'
import { prepare } from '../../../engine/bench/step.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'

const small = {
  name: 'small',
  block: gmlp({ patch: 8, dim: 8, depth: 1 }),
  modality: 'image',
  input: [16, 16, 3],
  outputs: 3,
  batch: 4,
} as const

describe('the benchmark', () => {
  onSimd()

  it.each([...sample(configurations, 0, 5).map((configuration) => ({ ...configuration, batch: 1 })), small])(
    'trains $name and leaves nothing behind',
    async (configuration) => {
      const { train, forward, dispose } = prepare(configuration)
      const before = tf.memory().numTensors
      const first = await train()
      await forward()
      for (let i = 0; i < 3; i++) await train()
      expect(await train()).toBeLessThan(first)
      expect(tf.memory().numTensors).toBe(before)
      dispose()
    },
  )

  it('has twins in plain tfjs, for gMLP on images', async () => {
    const twins = ['gmlp-128x6', 'gmlp-64x4', 'gmlp-d512', 'gmlp-1024', 'gmlp-64x4-batch-8']
    expect(configurations.filter(hasPlainTwin).map(({ name }) => name)).toEqual(twins)
    expect(() => preparePlain(configurations[1] as Configuration)).toThrow("'mixer-128x6' has no twin in plain tfjs")
    const { train, forward, dispose } = preparePlain(small)
    const first = await train() // makes the moments of Adam
    const before = tf.memory().numTensors
    await forward()
    for (let i = 0; i < 3; i++) await train()
    expect(await train()).toBeLessThan(first)
    expect(tf.memory().numTensors).toBe(before)
    dispose()
  })

  it('times the kernels, and puts them back', async () => {
    const { train, dispose } = prepare(small, { program: false })
    const kernel = () => tf.getKernel('BatchMatMul', 'simd').kernelFunc
    const before = kernel()
    const times = await profileKernels(train)
    expect(kernel()).toBe(before)
    const products = times.find((time) => time.kernel === 'BatchMatMul')
    expect(products?.calls).toBeGreaterThan(5)
    expect(times.every(({ ms, calls }) => ms >= 0 && calls > 0)).toBe(true)
    dispose()
  })
})
