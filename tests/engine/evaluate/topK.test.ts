import { describe, expect, it } from 'vitest'
import { topK } from '../../../engine/evaluate/topK.ts'

describe('topK', () => {
  it('counts over several batches', () => {
    const top1 = topK('accuracy', 1)
    top1.add(Float32Array.from([0.1, 0.9, 0.8, 0.2]), { target: Int32Array.from([1, 1]) })
    top1.add(Float32Array.from([3, 1]), { target: Int32Array.from([0]) })
    expect(top1.value()).toBeCloseTo(2 / 3)
  })
  it('takes the k largest', () => {
    const top2 = topK('top2', 2)
    top2.add(Float32Array.from([1, 3, 2, 1, 3, 2]), { target: Int32Array.from([2, 0]) })
    expect(top2.value()).toBe(0.5)
  })
  it('counts the same by ranks, without rows that have no weight', () => {
    const top2 = topK('top2', 2)
    const surprise = new Float32Array(4)
    const weights = Float32Array.from([1, 1, 0, 1])
    top2.addJudged?.({ rank: Float32Array.from([0, 2, 0, 1]), surprise }, { weights })
    expect(top2.value()).toBeCloseTo(2 / 3)
    top2.add(Float32Array.from([1, 3, 2]), { target: Int32Array.from([0]) })
    expect(top2.value()).toBe(0.5)
  })
  it('counts ties and NaN against the model', () => {
    const top1 = topK('accuracy', 1)
    top1.add(Float32Array.from([1, 1, Number.NaN, Number.NaN]), { target: Int32Array.from([0, 0]) })
    expect(top1.value()).toBe(0)
  })
})
