import { describe, expect, it } from 'vitest'
import { bootstrap } from '../../../../engine/study/statistics/resample.ts'
import { meanOf } from '../../../../engine/study/summary.ts'

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)

describe('bootstrap', () => {
  it('goes through all resamples of a small sample', () => {
    const { values, weights } = bootstrap([0, 1, 2], meanOf, 10)
    expect(values).toHaveLength(10)
    expect(total(weights)).toBeCloseTo(1, 14)
    const share = (mean: number) => total(weights.filter((_, i) => Math.abs((values[i] as number) - mean) < 1e-9))
    expect([0, 1 / 3, 2 / 3, 1].map((mean) => Math.round(share(mean) * 27))).toEqual([1, 3, 6, 7])
  })

  it('draws those of a larger one, the same each time', () => {
    const sample = Array.from({ length: 9 }, (_, i) => i)
    const { values, weights } = bootstrap(sample, meanOf, 10_000)
    expect(values).toHaveLength(10_000)
    expect(total(weights)).toBeCloseTo(1, 9)
    expect(total(values) / 10_000).toBeCloseTo(4, 1)
    expect(bootstrap(sample, meanOf, 10_000).values).toEqual(values)
  })

  it('never draws others from one version to the next', () => {
    const sample = Array.from({ length: 9 }, (_, i) => 9 * i)
    const { values } = bootstrap(sample, meanOf, 10_000)
    expect([...values.slice(0, 4), values.at(-1)]).toEqual([45, 33, 35, 40, 26])
  })

  it('leaves the sample as it is', () => {
    const sample = Object.freeze([3, 1, 2])
    bootstrap(sample, meanOf, 100)
    expect(sample).toEqual([3, 1, 2])
  })
})
