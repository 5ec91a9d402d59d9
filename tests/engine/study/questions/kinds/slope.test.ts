import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { answered, noise } from '../crossed.ts'
import { blockValue, LEVELS, slope } from '../golden.ts'

describe('slope', () => {
  it.each(['linear', 'log'] as const)('has the numbers of scipy by seed, on a scale that is %s', (scale) => {
    const [found] = answered([ask.slope('depth', { scale })], { levels: LEVELS, value: blockValue })
    const [finding] = found?.findings ?? []
    slope[scale].forEach((number, seed) => {
      expect(finding?.numbers[seed]?.number).toBeCloseTo(number, 10)
    })
    expect(finding?.p).toBe(slope.p)
  })

  it('says how much, per doubling where levels lie more evenly so', () => {
    const [found] = answered([ask.slope('depth')], { levels: LEVELS, value: blockValue })
    expect(found?.title).toBe('slope over depth')
    expect(found?.findings[0]?.sentence).toBe(
      'depth from 2 to 8, over all block: rises with depth by 7.8 points per doubling (95% CI 7.0 to 8.7; 8 of 8 seeds, p = 0.0078); no run of 8 seeds diverged, so up to 31% of seeds may still diverge (95%); assumes symmetric differences',
    )
    const loss = { levels: { width: [10, 20, 30] }, metric: 'test/loss' }
    const value = ({ width }: { width?: unknown }, seed: number) =>
      2 - 0.01 * Number(width) + noise(seed, Number(width))
    const [falling] = answered([ask.slope('width')], { ...loss, value })
    expect(falling?.findings[0]?.sentence).toMatch(
      /^width from 10 to 30: falls with width by 0\.010\d* nats per unit of width \(95% CI .*; 8 of 8 seeds, p = /,
    )
  })

  it('takes levels by size, in whatever order they are written', () => {
    const levels = { depth: [8, 2, 4] }
    const value = ({ depth }: { depth?: unknown }) => Math.log2(Number(depth))
    const [found] = answered([ask.slope('depth')], { levels, value, seeds: 6 })
    expect(found?.findings[0]?.difference).toBeCloseTo(1, 12)
  })

  it('claims nothing where there is none', () => {
    const [found] = answered([ask.slope('depth')], { levels: LEVELS, value: (_, seed) => noise(seed) })
    expect(found?.findings[0]?.sentence).toMatch(
      /^depth from 2 to 8, over all block: no slope shown: 0 on all 8 seeds$/,
    )
  })

  it.each([
    [{ size: ['s', 'm'] }, undefined, "level 's' of factor 'size' is no number, and a slope needs numbers"],
    [{ size: [2, 'm'] }, undefined, "level 'm' of factor 'size' is no number, and a slope needs numbers"],
    [
      { size: [0, 1] },
      'log' as const,
      "level 0 of factor 'size' has no logarithm, and a slope on a logarithmic scale needs it",
    ],
  ])('of %j on scale %s is refused', (levels, scale, message) => {
    const question = ask.slope('size', scale ? { scale } : undefined)
    expect(() => answered([question], { levels, value: () => 0 })).toThrow(message)
  })

  it('has no other options', () => {
    expect(() => ask.slope('depth', { scale: 'cubic' as 'log' })).toThrow("ask.slope.scale: unknown value 'cubic'")
    expect(() => ask.slope('depth', { scal: 'log' } as object)).toThrow("ask.slope: unknown option 'scal'")
  })
})
