import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../engine/random.ts'
import { normalCdf } from '../../../../engine/study/statistics/distributions.ts'
import {
  POWER,
  power,
  prospect,
  seedsFor,
  seedsForPower,
  smallestEffect,
} from '../../../../engine/study/statistics/power.ts'
import { significant } from '../../../../engine/study/statistics/sentences.ts'
import { fewestSeeds, isShown, signFlip } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }
import { LONG, sample } from '../../../long.ts'

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

const STUDIES = LONG ? 20_000 : 2000

/** The share of studies with an effect that the test itself shows. */
function simulated(seeds: number, effect: number, level: number): number {
  const key = keyOf(seeds, `simulated ${effect}`)
  let shown = 0
  for (let study = 0; study < STUDIES; study++) {
    const numbers = Array.from({ length: seeds }, (_, i) => effect + normal(key, study * seeds + i))
    if (isShown(numbers, level)) shown += 1
  }
  return shown / STUDIES
}

describe('power', () => {
  it.each(
    sample([
      [6, 1.5, 0.05],
      [8, 1.2, 0.025],
      [10, 0.8, 0.05],
      [12, 1, 0.05],
      [7, 2, 0.025],
      [11, 1.1, 0.01],
      [13, 1.2, 0.005],
      [14, 1, 0.01],
      [16, 0.7, 0.05],
      [12, 1.3, 0.005],
    ] as const),
  )('of %i seeds for an effect of %f at %f is within 3 points of simulated studies', (seeds, effect, level) => {
    expect(Math.abs(power(effect, seeds, level) - simulated(seeds, effect, level))).toBeLessThan(0.03)
  })

  it.each(golden.power.cases)('of $seeds seeds is that of the t test', (known) => {
    expect(power(known.effect, known.seeds, known.level)).toBeCloseTo(known.power, 3)
  })

  it('of six seeds is the probability that all have one sign', () => {
    for (const effect of [0, 1, 1.5, 2])
      expect(Math.abs(power(effect, 6, 0.05) - normalCdf(effect) ** 6 - normalCdf(-effect) ** 6)).toBeLessThan(0.015)
  })

  it('is none where the seeds cannot reach the level', () => {
    expect([power(5, 5, 0.05), smallestEffect(5, 0.05), smallestEffect(6, 0.025)]).toEqual([0, null, null])
  })

  it('is 0.8 at the smallest effect that is shown, and with the fewest seeds', () => {
    for (const seeds of LONG ? [6, 8, 10, 12, 20] : [6, 12]) {
      expect(Math.abs(power(smallestEffect(seeds, 0.05) as number, seeds, 0.05) - POWER)).toBeLessThan(0.01)
    }
    const seeds = seedsForPower(-1, 0.05) as number
    expect([power(1, seeds - 1, 0.05) < POWER, power(1, seeds, 0.05) >= POWER]).toEqual([true, true])
    expect(seedsForPower(0.05, 0.05)).toBeNull()
  })
})

it('a test that stops early says what the p does', () => {
  const key = keyOf(1, 'early')
  for (let study = 0; study < 50; study++) {
    const numbers = Array.from({ length: 8 }, (_, i) => 0.7 + normal(key, study * 8 + i))
    expect(isShown(numbers, 0.05)).toBe(signFlip(numbers) <= 0.05)
  }
})
