import { describe, expect, it } from 'vitest'
import { signFlip, smallestP } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

const samples: Record<string, number[]> = golden.samples

describe('signFlip', () => {
  it('gives what Fisher published for the maize of Darwin', () => {
    expect(signFlip(golden.samples.maize)).toBe(golden.signFlip.published.p)
  })

  it.each(golden.signFlip.cases)('gives for $sample what scipy gives', ({ sample: name, p }) => {
    const sample = samples[name] as number[]
    const drawn = 4 * Math.sqrt((p * (1 - p)) / 100_000)
    expect(Math.abs(signFlip(sample) - p)).toBeLessThan(sample.length > 20 ? drawn : 1e-12)
  })

  it('counts sums that are equal but for rounding', () => {
    expect(signFlip([0.1, 0.2, 0.3])).toBe(signFlip([1, 2, 3]))
    expect(signFlip([0.3, -0.1, -0.2])).toBe(1)
    expect(signFlip([1, 2, 3].map((value) => value * 1e-12))).toBe(0.25)
  })

  it('does not depend on order, sign or unit', () => {
    const sample = samples.skewed as number[]
    expect(signFlip(sample.toReversed())).toBe(signFlip(sample))
    expect(signFlip(sample.map((value) => -100 * value))).toBe(signFlip(sample))
  })

  it('is 1 for nothing, for one difference, and where nothing differs', () => {
    expect([signFlip([]), signFlip([5]), signFlip([0, 0, 0, 0, 0, 0])]).toEqual([1, 1, 1])
  })

  it('can be no smaller than all seeds agreeing', () => {
    for (const n of [1, 2, 5, 6, 12, 20])
      expect(signFlip(Array.from({ length: n }, (_, i) => 1 + i))).toBe(smallestP(n))
  })

  it('never draws other signs from one version to the next', () => {
    const waves = (count: number) => Array.from({ length: count }, (_, i) => Math.sin(i) + 0.3)
    expect([21, 40].map((count) => signFlip(waves(count)))).toEqual([0.03939, 0.0065])
  })

  it('never is 0 where signs are drawn', () => {
    expect(signFlip(Array.from({ length: 40 }, () => 1))).toBe(1 / 100_000)
  })
})
