import { describe, expect, it } from 'vitest'
import { fewestOneSided, oneSided, smallestOneSided } from '../../../../../engine/study/statistics/margin/oneSided.ts'
import { signFlip } from '../../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../../golden/statistics.json' with { type: 'json' }

const samples: Record<string, number[]> = golden.samples

describe('oneSided', () => {
  it.each(golden.oneSided.cases)('gives for $sample and a margin of $margin what scipy gives', (known) => {
    const sample = samples[known.sample] as number[]
    const tolerance = (p: number) => (sample.length > 20 ? 4 * Math.sqrt((p * (1 - p)) / 100_000) : 1e-12)
    const above = oneSided(sample.map((value) => value + known.margin))
    const below = oneSided(sample.map((value) => known.margin - value))
    expect(Math.abs(above - known.above)).toBeLessThan(tolerance(known.above))
    expect(Math.abs(below - known.below)).toBeLessThan(tolerance(known.below) + 1e-12)
  })

  it('is half of the two-sided p of a sample whose mean is above 0', () => {
    expect(oneSided([1, 2, 3, 4, -0.5])).toBe(signFlip([1, 2, 3, 4, -0.5]) / 2)
  })

  it('counts sums that are equal but for rounding, and is 1 for nothing and where nothing differs', () => {
    expect(oneSided([0.3, -0.1, -0.2])).toBe(oneSided([3, -1, -2]))
    expect([oneSided([]), oneSided([0, 0, 0]), oneSided([-1, -2])]).toEqual([1, 1, 1])
  })

  it('can be no smaller than all seeds agreeing: five are the fewest for 0.05', () => {
    for (const n of [1, 2, 5, 20]) expect(oneSided(Array.from({ length: n }, () => 1))).toBe(smallestOneSided(n))
    expect([0.05, 0.025, 0.05 / 3].map(fewestOneSided)).toEqual([5, 6, 6])
  })
})
