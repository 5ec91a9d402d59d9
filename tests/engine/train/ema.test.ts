import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { movingAverage } from '../../../engine/train/ema.ts'
import { describeOnBoth } from './backends.ts'
import { valuesOf, withParameters } from './parameters.ts'

describeOnBoth('movingAverage', () => {
  it('is decay^n * first + (1 - decay) * sum of decay^(n - k) * value k', async () => {
    await withParameters({ a: [8, -1] }, async (parameters) => {
      const average = movingAverage(parameters, 0.75)
      for (const value of [4, 2, 6]) {
        tf.tidy(() => parameters[0]?.variable.assign(tf.tensor1d([value, -1])))
        average.update(1)
      }
      const expected = 0.75 ** 3 * 8 + 0.25 * (0.75 ** 2 * 4 + 0.75 * 2 + 6)
      await average.withAveragedWeights(async () => expect(valuesOf(parameters)).toEqual({ a: [expected, -1] }))
      average.dispose()
    })
  })
  it('forgets its first values in few steps with a warm-up', async () => {
    await withParameters({ a: [8] }, async (parameters) => {
      const average = movingAverage(parameters, { decay: 0.3, warmup: true })
      for (const [i, value] of [4, 2, 6].entries()) {
        tf.tidy(() => parameters[0]?.variable.assign(tf.tensor1d([value])))
        average.update(i + 1)
      }
      const [first, second] = [2 / 11, 3 / 12] // the third would be 4 / 13, more than the decay
      const expected = 0.3 * (second * (first * 8 + (1 - first) * 4) + (1 - second) * 2) + 0.7 * 6
      const found = await average.withAveragedWeights(async () => valuesOf(parameters))
      expect(found.a?.[0]).toBeCloseTo(expected, 5)
      average.dispose()
    })
  })
  it('lends its values for the time of a call, also one that fails, and keeps them', async () => {
    await withParameters({ a: [1], b: [2, 3] }, async (parameters) => {
      const average = movingAverage(parameters, 0.5)
      tf.tidy(() => parameters[0]?.variable.assign(tf.tensor1d([5])))
      expect(await average.withAveragedWeights(async () => valuesOf(parameters))).toEqual({ a: [1], b: [2, 3] })
      expect(valuesOf(parameters)).toEqual({ a: [5], b: [2, 3] })
      await expect(average.withAveragedWeights(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
      await expect(
        average.withAveragedWeights(() => {
          throw new Error('at once')
        }),
      ).rejects.toThrow('at once')
      expect(valuesOf(parameters)).toEqual({ a: [5], b: [2, 3] })
      average.update(1)
      expect(await average.withAveragedWeights(async () => valuesOf(parameters))).toEqual({ a: [3], b: [2, 3] })
      average.dispose()
    })
  })
  it('is not trained itself, and is there by the names of the weights', async () => {
    await withParameters({ a: [1], b: [2, 3] }, async (parameters) => {
      const average = movingAverage(parameters, 0.5)
      expect(Object.keys(average.state())).toEqual(['a', 'b'])
      expect(Object.values(average.state()).map(({ trainable }) => trainable)).toEqual([false, false])
      average.dispose()
    })
    expect(movingAverage([], undefined).state()).toEqual({})
  })
  it('is one operation on simd, however many weights there are', async () => {
    if (tf.getBackend() !== 'simd') return
    await withParameters({ a: [1], b: [2, 3] }, async (parameters) => {
      const average = movingAverage(parameters, 0.5)
      const { kernelNames } = await tf.profile(() => {
        average.update(1)
        return []
      })
      expect(kernelNames).toEqual(['AverageUpdate'])
      average.dispose()
    })
  })
  it('costs nothing and changes nothing when off', async () => {
    await withParameters({ a: [1] }, async (parameters) => {
      const before = tf.memory().numTensors
      const average = movingAverage(parameters, undefined)
      average.update(1)
      expect(tf.memory().numTensors).toBe(before)
      expect(await average.withAveragedWeights(async () => valuesOf(parameters))).toEqual({ a: [1] })
      average.dispose()
    })
  })
})
