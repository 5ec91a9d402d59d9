import { describe, expect, it } from 'vitest'
import { keyOf, uniform } from '../../../../../engine/random.ts'
import { eHolm } from '../../../../../engine/study/statistics/sequentialTest.ts'

/** By its definition: the smallest mean over all sets that have the comparison. */
function byClosure(evidences: readonly number[], own: number): number {
  const sets = Array.from({ length: 2 ** evidences.length }, (_, set) => evidences.filter((_, i) => (set >> i) & 1))
  const means = sets.map((set) => set.reduce((sum, each) => sum + each, 0) / set.length)
  return Math.min(...means.filter((_, set) => (set >> own) & 1))
}

describe('eHolm', () => {
  it('is the smallest mean of all sets with a comparison', () => {
    const key = keyOf(1, 'evidence')
    for (let family = 0; family < 50; family++) {
      const evidences = Array.from({ length: 5 }, (_, i) => Math.exp(8 * uniform(key, family * 5 + i) - 3))
      const corrected = eHolm(evidences)
      for (const [place, own] of corrected.entries()) expect(own).toBeCloseTo(byClosure(evidences, place), 9)
    }
  })

  it('leaves one comparison, and equal ones, as they are', () => {
    expect(eHolm([])).toEqual([])
    expect(eHolm([24])).toEqual([24])
    expect(eHolm([24, 24, 24])).toEqual([24, 24, 24])
    expect(eHolm([40, 0])).toEqual([20, 0])
  })
})
