import { describe, expect, it } from 'vitest'
import { drawsOf } from '../../../../engine/data/augment/draws.ts'

const take = (count: number, draw: () => number) => Array.from({ length: count }, draw)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const variance = (values: number[]) => mean(values.map((value) => value ** 2)) - mean(values) ** 2

describe('drawsOf', () => {
  it('gives the same draws for the same stream, and others for another', () => {
    const values = (seed: number, path: string) => {
      const draws = drawsOf(seed, path)
      return [draws.between(0, 1), draws.below(1000), draws.normal(), draws.beta(0.8), draws.between(-1, 1)]
    }
    expect(values(1, 'a')).toEqual(values(1, 'a'))
    expect(values(1, 'b')).not.toEqual(values(1, 'a'))
    expect(values(2, 'a')).not.toEqual(values(1, 'a'))
  })
  it.each([0.1, 0.5, 0.8, 1, 4])('draws from Beta(%d, alpha) with the right mean and variance', (alpha) => {
    const draws = drawsOf(1, `beta/${alpha}`)
    const values = take(4000, () => draws.beta(alpha))
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true)
    expect(mean(values)).toBeCloseTo(0.5, 1)
    expect(variance(values)).toBeCloseTo(1 / (4 * (2 * alpha + 1)), 1)
    expect(variance(values) * 4 * (2 * alpha + 1)).toBeGreaterThan(0.93)
    expect(variance(values) * 4 * (2 * alpha + 1)).toBeLessThan(1.07)
  })
  it('is finite for an alpha near 0', () => {
    const draws = drawsOf(1, 'small')
    expect(take(200, () => draws.beta(1e-3)).every((value) => value >= 0 && value <= 1)).toBe(true)
  })
  it('says yes as often as asked', () => {
    const draws = drawsOf(1, 'chance')
    expect(mean(take(4000, () => Number(draws.chance(0.25))))).toBeCloseTo(0.25, 1)
    expect(take(100, () => Number(draws.chance(0)))).toEqual(Array(100).fill(0))
    expect(take(100, () => Number(draws.chance(1)))).toEqual(Array(100).fill(1))
  })
})
