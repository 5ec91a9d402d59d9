import { describe, expect, it } from 'vitest'
import { prospect, seedsFor } from '../../../../engine/study/statistics/power.ts'
import { significant } from '../../../../engine/study/statistics/sentences.ts'
import { fewestSeeds } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

describe('prospect', () => {
  it.each([
    [6, 1, '6 seeds can show a difference: the smallest p is 0.031'],
    [5, 1, '5 seeds cannot reach 0.05 (smallest p 0.0625); 6 seeds can'],
    [1, 1, '1 seed cannot reach 0.05 (smallest p 1); 6 seeds can'],
    [6, 2, "with 2 comparisons 6 seeds cannot reach 0.05 after Holm's correction (smallest p 0.0625); 7 seeds can"],
    [7, 2, "7 seeds can show a difference: with 2 comparisons the smallest p after Holm's correction is 0.031"],
    [6, 0, 'one variant: there is nothing to compare it with'],
  ])('says what %i seeds can show in %i comparisons', (seeds, comparisons, sentence) => {
    expect(prospect(seeds, comparisons).sentence).toBe(sentence)
  })

  it('divides by the studies that are planned together', () => {
    expect(prospect(9, 2, 4).sentence).toBe(
      "9 seeds can show a difference: with 2 comparisons in each of 4 studies the smallest p after Holm's correction is 0.031",
    )
    expect(prospect(6, 1, 2)).toMatchObject({ enough: false, needed: 7 })
    expect(prospect(6, 1, 2).sentence).toMatch(/^with 1 comparison in each of 2 studies 6 seeds cannot reach 0\.05/)
  })

  it('shows nothing where there is nothing to compare', () => {
    expect(prospect(6, 0)).toMatchObject({ enough: false, smallest: 0, needed: 6 })
  })

  it('names the smallest number of seeds that is enough', () => {
    for (const comparisons of [1, 2, 3, 4, 7, 20]) {
      const { needed } = prospect(3, comparisons)
      expect([needed - 1, needed].map((seeds) => prospect(seeds, comparisons).enough)).toEqual([false, true])
    }
  })
})

it('a level that a number of seeds just reaches is reached', () => {
  expect([1, 1 / 2, 1 / 32, 1 / 33].map(fewestSeeds)).toEqual([1, 2, 6, 7])
})

it('a p has as many digits as tell it from 0.05', () => {
  expect([0.0625, 0.03125, 0.1234, 1].map(significant)).toEqual(['0.0625', '0.031', '0.12', '1'])
})

describe('seedsFor', () => {
  it.each(golden.seedsFor.cases)('is within a seed of the noncentral t for $effect at $level', (known) => {
    const seeds = seedsFor(known.effect, known.level) as number
    expect(seeds).toBeGreaterThanOrEqual(Math.max(Math.ceil(known.seeds) - 1, fewestSeeds(known.level)))
    expect(seeds).toBeLessThanOrEqual(Math.max(Math.ceil(known.seeds) + 1, fewestSeeds(known.level)))
  })

  it('never is fewer than can show anything', () => {
    expect(seedsFor(50, 0.05)).toBe(6)
    expect(seedsFor(50, 0.0125)).toBe(8)
  })

  it('is null where a hundred more would not do', () => {
    expect(seedsFor(0, 0.05)).toBeNull()
    expect(seedsFor(0.27, 0.05)).toBeNull()
    expect(seedsFor(0.27, 0.05, 20)).toBe(110)
    expect([10, 9].map((have) => seedsFor(0.27, 0.05, have))).toEqual([110, null])
  })
})
