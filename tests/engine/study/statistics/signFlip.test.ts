import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../engine/random.ts'
import {
  fewestOneSided,
  flipInterval,
  oneSided,
  signFlip,
  smallestOneSided,
  smallestP,
} from '../../../../engine/study/statistics/signFlip.ts'
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

  it('never is 0 where signs are drawn, and exact where none of these are as far', () => {
    const ones = Array.from({ length: 40 }, () => 1)
    expect(signFlip(ones)).toBe(smallestP(40))
    expect(signFlip([-1, ...ones])).toBe(42 * smallestP(41)) // none turned, or any one of 41
    expect(signFlip(Array.from({ length: 200 }, (_, i) => 1 + (i % 2)))).toBe(smallestP(200))
  })
})

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

describe('flipInterval', () => {
  const draw = (study: number, seeds: number) =>
    Array.from({ length: seeds }, (_, seed) => normal(keyOf(study, 'interval'), seed))
  const moved = (numbers: readonly number[], by: number) => numbers.map((number) => number - by)

  it('has every centre that the test does not reject, and no other', () => {
    for (const [study, seeds] of [6, 7, 8, 10, 12, 14].entries()) {
      for (const level of [0.05, 0.025, 0.05 / 3, 0.1]) {
        const numbers = draw(study, seeds)
        if (smallestP(seeds) > level) continue
        const { low, high } = flipInterval(numbers, level) as { low: number; high: number }
        for (const inside of [low + 1e-6, high - 1e-6]) expect(signFlip(moved(numbers, inside))).toBeGreaterThan(level)
        for (const outside of [low - 1e-6, high + 1e-6]) {
          expect(signFlip(moved(numbers, outside))).toBeLessThanOrEqual(level)
        }
      }
    }
  })

  it('agrees with the drawn signs beyond 20 numbers, and with the one-sided test', () => {
    const numbers = draw(9, 24)
    const { low, high } = flipInterval(numbers, 0.05) as { low: number; high: number }
    expect(signFlip(moved(numbers, low - 1e-9))).toBeLessThanOrEqual(0.05)
    expect(signFlip(moved(numbers, low + 1e-9))).toBeGreaterThan(0.05)
    expect(signFlip(moved(numbers, high + 1e-9))).toBeLessThanOrEqual(0.05)
    expect(oneSided(moved(numbers, low - 1e-9))).toBeLessThanOrEqual(0.025)
    expect(oneSided(moved(numbers, low + 1e-9))).toBeGreaterThan(0.025)
  })

  it('is the range of numbers that are too few, at the level that this has, and a point where all are equal', () => {
    expect(flipInterval([1, 5, 2, 4, 3], 0.05)).toEqual({ low: 1, high: 5, level: 0.9375 })
    expect(flipInterval([1, 5, 2, 4, 3, 6], 0.05)).toEqual({ low: 1, high: 6, level: 0.95 })
    expect(flipInterval([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 0.05)).toMatchObject({ low: 0.1, high: 0.1 })
    expect([flipInterval([], 0.05), flipInterval([1, 2, 3], 0.05)]).toEqual([null, null])
  })
})
