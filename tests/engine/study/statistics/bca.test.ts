import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../engine/random.ts'
import { bca } from '../../../../engine/study/statistics/bca.ts'
import type { Interval } from '../../../../engine/study/statistics/types.ts'
import { meanOf, spread } from '../../../../engine/study/summary.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

/** Ends of 10,000 resamples vary by some hundredths of the standard error. */
const TOLERANCE = 0.1

const samples: Record<string, number[]> = golden.samples

function standardError(sample: number[]): number {
  return (spread(sample).sd as number) / Math.sqrt(sample.length)
}

describe('bca', () => {
  it.each(golden.bca.cases)('of the mean of $sample is that of scipy and R', ({ sample: name, low, high, r }) => {
    const sample = samples[name] as number[]
    const interval = bca(sample, meanOf) as Interval
    for (const [end, expected] of [
      [interval.low, r ? [low, r[0]] : [low]],
      [interval.high, r ? [high, r[1]] : [high]],
    ] as const) {
      for (const each of expected)
        expect(Math.abs(end - (each as number)) / standardError(sample)).toBeLessThan(TOLERANCE)
    }
  })

  it('of the correlation of the law schools is that of scipy and R', () => {
    const { low, high, r } = golden.bca.correlation
    const schools = golden.samples.lsat.map((lsat, i) => [lsat, golden.samples.gpa[i] as number] as const)
    const interval = bca(schools, correlation, { resamples: 50_000 }) as Interval
    for (const expected of [low, r[0] as number]) expect(Math.abs(interval.low - expected)).toBeLessThan(0.01)
    for (const expected of [high, r[1] as number]) expect(Math.abs(interval.high - expected)).toBeLessThan(0.002)
  })

  it('is the same in every call, and mirrors with its sample', () => {
    const sample = samples.maize as number[]
    const interval = bca(sample, meanOf) as Interval
    expect(bca(sample, meanOf)).toEqual(interval)
    const mirrored = bca(
      sample.slice(0, 8).map((value) => -value),
      meanOf,
    ) as Interval
    const exact = bca(sample.slice(0, 8), meanOf) as Interval
    expect([mirrored.low, mirrored.high]).toEqual([-exact.high, -exact.low])
  })

  it('covers the mean of six values as often as docs/statistics.md says', () => {
    const covered = Array.from({ length: 1000 }, (_, study) => {
      const key = keyOf(study, 'coverage')
      const { low, high } = bca(
        Array.from({ length: 6 }, (_, i) => normal(key, i)),
        meanOf,
      ) as Interval
      return low <= 0 && high >= 0
    })
    expect(Math.abs(covered.filter(Boolean).length / 1000 - 0.86)).toBeLessThan(0.03)
  })

  it('is wider at a higher level', () => {
    const [narrow, wide] = [0.8, 0.99].map((level) => bca(samples.maize as number[], meanOf, { level }) as Interval)
    expect(wide?.low).toBeLessThan(narrow?.low as number)
    expect(wide?.high).toBeGreaterThan(narrow?.high as number)
  })

  it.each([
    ['nothing', []],
    ['one value', [3]],
    ['equal values', [0.1, 0.1, 0.1]],
    ['values equal but for rounding', [0.1 + 0.2, 0.3, 0.3]],
    ['zeros', [0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('is null for %s', (_, sample) => {
    expect(bca(sample, meanOf)).toBeNull()
  })

  it('is that of the exact distribution of two values', () => {
    expect(bca([0, 1], meanOf, { level: 0.5 })).toEqual({ low: 0, high: 0.5 })
  })

  it('does not depend on the unit', () => {
    const sample = [0.1, 0.2, 0.3, 0.4, 0.6]
    const { low, high } = bca(sample, meanOf) as Interval
    for (const unit of [1e-6, 1e6]) {
      const scaled = bca(
        sample.map((value) => value * unit),
        meanOf,
      )
      expect((scaled?.low ?? 0) / unit).toBeCloseTo(low, 10)
      expect((scaled?.high ?? 0) / unit).toBeCloseTo(high, 10)
    }
  })

  it('is there where some values are equal', () => {
    expect(bca([0, 0, 0, 1, 1], meanOf)).not.toBeNull()
  })

  it('goes to the end of the distribution where the acceleration is too large for the level', () => {
    const outlier = [0, 0, 0, 0, 0, 0, 0, 1]
    expect(bca(outlier, meanOf, { level: 1 })).toEqual({ low: 0, high: 1 })
    const mirrored = outlier.map((value) => -value)
    expect(bca(mirrored, meanOf, { level: 1 })?.low).toBe(-1)
  })

  it('never asks for the statistic of nothing', () => {
    const strict = (sample: readonly number[]) => {
      if (sample.length === 0) throw new Error('of nothing')
      return meanOf(sample)
    }
    expect([bca([], strict), bca([3], strict)]).toEqual([null, null])
  })

  it.each<[string, number[], (sample: readonly number[]) => number]>([
    ['that leaving one out does not change', [1, 1, 1, 5], median],
    ['that leaving one out does not change from 0', [0, 0, 0, 5], median],
    [
      'that leaving one out changes by rounding',
      [1, 2, 3, 4],
      (some) => (some.length === 4 ? first(some) : 1e6 + 1e-5 * first(some)),
    ],
    ['that resampling does not change', [1, 2, 3, 4], (some) => (some.length === 4 ? 5 : first(some))],
    ['that resampling does not change from 0', [1, 2, 3, 4], (some) => (some.length === 4 ? 0 : first(some))],
    [
      'that resampling changes by rounding',
      [1, 2, 3, 4],
      (some) => (some.length === 4 ? 1e6 + 1e-5 * first(some) : first(some)),
    ],
  ])('is null for a statistic %s', (_, sample, statistic) => {
    expect(bca(sample, statistic)).toBeNull()
  })

  it('is null for a statistic that no resample changes', () => {
    expect(bca([1, 2, 3, 4], () => 5)).toBeNull()
  })
})

const first = (sample: readonly number[]) => sample[0] ?? 0

function median(sample: readonly number[]): number {
  const sorted = [...sample].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
  const [mx, my] = [meanOf(x), meanOf(y)]
  const product = (a: number[], ma: number, b: number[], mb: number) =>
    a.reduce((sum, value, i) => sum + (value - ma) * ((b[i] as number) - mb), 0)
  return product(x, mx, y, my) / Math.sqrt(product(x, mx, x, mx) * product(y, my, y, my))
}
