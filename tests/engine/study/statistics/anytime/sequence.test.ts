import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../../engine/random.ts'
import { confidenceSequence, evidence } from '../../../../../engine/study/statistics/sequentialTest.ts'
import { ENOUGH } from '../../../../../engine/study/statistics/signFlip.ts'

/** Whether bets against the median `m` have ever had enough evidence. */
function refuted(numbers: readonly number[], m: number): boolean {
  return numbers.some((_, last) => {
    const shown = numbers.slice(0, last + 1)
    const more = shown.filter((number) => number > m).length
    return evidence(more, shown.length - more) >= ENOUGH
  })
}

const draws = (study: number, seeds: number) => Array.from({ length: seeds }, (_, i) => normal(keyOf(study, 'cs'), i))

describe('confidenceSequence', () => {
  it('has the medians that no look has refuted', () => {
    for (let study = 0; study < 20; study++) {
      const numbers = draws(study, 24)
      const found = confidenceSequence(numbers)
      const [low, high] = [found?.low ?? 1, found?.high ?? -1]
      for (let m = -2.005; m < 2; m += 0.05) expect(refuted(numbers, m)).toBe(m < low || m > high)
    }
  })

  it('covers the median at all looks in at least 95% of studies', () => {
    let missed = 0
    for (let study = 0; study < 2000; study++) {
      const found = confidenceSequence(draws(study, 24))
      if (!found || found.low > 0 || found.high < 0) missed += 1
    }
    expect(missed / 2000).toBeLessThan(0.05)
    expect(missed).toBeGreaterThan(0)
  })

  it('is nothing below 7 numbers, never widens, and may have no end where runs diverged', () => {
    expect(confidenceSequence([1, 2, 3, 4, 5, 6])).toBeNull()
    expect(confidenceSequence([1, 2, 3, 4, 5, 6, 7])).toEqual({ low: 1, high: 7, level: 0.95 })
    expect(confidenceSequence([1, 2, 3, 4, 5, 6, 7, -90])).toEqual({ low: 1, high: 7, level: 0.95 })
    const none = Number.NEGATIVE_INFINITY
    expect(confidenceSequence([none, 2, 3, 4, 5, 6, 7])).toEqual({ low: none, high: 7, level: 0.95 })
  })
})
