import { describe, expect, it } from 'vitest'
import { histogramOf } from '../../../engine/records/histogram.ts'

const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)

describe('histogramOf', () => {
  it('counts every value once, between the smallest and the largest', () => {
    const values = Float32Array.from({ length: 480 }, (_, i) => i)
    const { counts, ...rest } = histogramOf(values)
    expect(rest).toEqual({ min: 0, max: 479, mean: 239.5, sd: expect.closeTo(138.5637, 3), notFinite: 0 })
    expect(counts).toEqual(Array(48).fill(10))
  })
  it('has a single value, or the same everywhere, in its first bin', () => {
    for (const values of [[3], [3, 3, 3, 3]]) {
      const { counts, ...rest } = histogramOf(values)
      expect(rest).toEqual({ min: 3, max: 3, mean: 3, sd: 0, notFinite: 0 })
      expect([counts[0], total(counts)]).toEqual([values.length, values.length])
    }
  })
  it('leaves out what is not finite, and says how many', () => {
    const { counts, ...rest } = histogramOf([Number.NaN, 1, Number.POSITIVE_INFINITY, 3, Number.NEGATIVE_INFINITY])
    expect(rest).toEqual({ min: 1, max: 3, mean: 2, sd: 1, notFinite: 3 })
    expect(total(counts)).toBe(2)
    for (const values of [[], [Number.NaN]]) {
      const nothing = histogramOf(values)
      expect(nothing).toMatchObject({ min: 0, max: 0, mean: 0, sd: 0, notFinite: values.length })
      expect(total(nothing.counts)).toBe(0)
    }
  })
})
