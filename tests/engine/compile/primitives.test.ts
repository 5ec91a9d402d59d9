import * as tf from '@tensorflow/tfjs'
import { beforeAll, expect, it } from 'vitest'
import { compiled } from '../../../engine/compile/model.ts'
import { drawn } from '../nn/gradients.ts'
import { primitiveCode, primitiveModel, SHAPE } from '../nn/primitiveCode.ts'
import { kinked, smooth } from '../nn/primitives.ts'
import { ballast, expectSameBits, leaveSimd, taken, useThreads, weigh } from './setup.ts'

leaveSimd()
beforeAll(() => useThreads(2))

it.each(Object.entries({ ...smooth, ...kinked }))(
  'the program of %s has the bits of its operations',
  async (name, forward) => {
    const model = primitiveModel(forward)
    const before = tf.memory().numTensors
    const batch = tf.tidy(() => ({ input: drawn('input', [16, ...SHAPE]), ballast: ballast(16) }))
    const results = []
    for (const program of [true, false]) {
      const own = primitiveCode(model)
      const code = compiled(model, { training: true, program }, (given, run) => {
        return { ...own(given, run), weight: weigh(given.ballast as tf.Tensor) }
      })
      results.push(taken(await code.run(batch, 0)))
      expect(code.fallback()?.reason ?? null).toBe(null)
      code.dispose()
    }
    tf.dispose(batch)
    expect(tf.memory().numTensors).toBe(before)
    const [own = {}, wanted = {}] = results
    expectSameBits(own, wanted, name, { signless: true })
    model.dispose()
  },
)
