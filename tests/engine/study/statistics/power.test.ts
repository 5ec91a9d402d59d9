import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../engine/random.ts'
import { normalCdf } from '../../../../engine/study/statistics/distributions.ts'
import { POWER, power, seedsForPower, smallestEffect } from '../../../../engine/study/statistics/power.ts'
import { isShown, signFlip } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }
import { LONG, sample } from '../../../long.ts'

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
