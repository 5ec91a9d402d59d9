import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { measureStepTimes } from '../../../engine/bench/stepTimes.ts'
import { onSimd } from '../backends/simd/setup.ts'

const at = { tokens: 8, width: 8, depth: 1 }
const rest = async () => {}

describe('step times', () => {
  onSimd()

  it('are measured of every block at five places, and leave nothing behind', async () => {
    const before = tf.memory().numTensors
    const { rows, left } = await measureStepTimes({ at, axis: 'tokens', batch: 2, budget: 60_000 }, rest)
    expect(left).toEqual([])
    const places = Map.groupBy(rows, ({ model }) => model)
    expect([...places.keys()]).toEqual(['gMLP', 'MLP-Mixer', 'ResMLP', 'Transformer', 'external attention'])
    for (const own of places.values()) {
      expect(own.map(({ sizes }) => sizes.tokens).sort((a, b) => a - b)).toEqual([2, 4, 8, 16, 32])
    }
    expect(rows.every(({ ms, backend }) => ms > 0 && backend === 'simd')).toBe(true)
    expect(tf.memory().numTensors).toBe(before)
  })

  it('are not begun once the budget is spent, and say so', async () => {
    const { rows, left } = await measureStepTimes({ at, axis: 'depth', batch: 2, budget: -1 }, rest)
    expect(rows).toEqual([])
    expect(left).toHaveLength(15)
    expect(left[0]).toBe('MLP-Mixer at depth 1')
  })

  it('are not begun of a model that by one of its blocks takes longer than the budget', async () => {
    const { rows, left } = await measureStepTimes(
      { at: { ...at, depth: 24 }, axis: 'width', batch: 2, budget: 1 },
      rest,
    )
    expect(rows).toEqual([])
    expect(left).toHaveLength(25)
  })
})
