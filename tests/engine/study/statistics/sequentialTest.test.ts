import { describe, expect, it } from 'vitest'
import { keyOf, normal, uniform } from '../../../../engine/random.ts'
import { decidedInOrder } from '../../../../engine/study/questions/order.ts'
import { normalCdf } from '../../../../engine/study/statistics/distributions.ts'
import type { SeedNumber } from '../../../../engine/study/statistics/failures.ts'
import {
  confidenceSequence,
  eHolm,
  evidence,
  fewestLooks,
  lookFamily,
} from '../../../../engine/study/statistics/sequentialTest.ts'
import { ENOUGH } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }
import { LONG } from '../../../long.ts'

/** The probability that signs, each positive with probability `p`, are ever decided by so many: exact, over all counts. */
function decidedBy(p: number, seeds: number): number {
  let open = new Map([[0, 1]])
  let decided = 0
  for (let n = 1; n <= seeds; n++) {
    const next = new Map<number, number>()
    for (const [more, share] of open) {
      next.set(more + 1, (next.get(more + 1) ?? 0) + share * p)
      next.set(more, (next.get(more) ?? 0) + share * (1 - p))
    }
    for (const [more, share] of next) {
      if (evidence(more, n - more) < ENOUGH) continue
      decided += share
      next.delete(more)
    }
    open = next
  }
  return decided
}

describe('evidence', () => {
  it.each(golden.anytime.cases)(
    'of $more and $less signs is what scipy gives',
    ({ more, less, evidence: expected }) => {
      expect(evidence(more, less) / expected).toBeCloseTo(1, 10)
      expect(evidence(less, more)).toBe(evidence(more, less))
    },
  )

  it('is 1 without a sign, and its mean stays 1 where both signs are equally likely', () => {
    expect(evidence(0, 0)).toBe(1)
    for (const [more, less] of [
      [0, 0],
      [3, 1],
      [9, 12],
      [30, 2],
    ] as const) {
      const mean = (evidence(more + 1, less) + evidence(more, less + 1)) / 2
      expect(mean / evidence(more, less)).toBeCloseTo(1, 12)
    }
  })

  it.each(golden.anytime.decided)(
    'decides by $seeds seeds at an effect of $effect as often as scipy sums up',
    (each) => {
      expect(decidedBy(normalCdf(each.effect), each.seeds)).toBeCloseTo(each.decided, 4)
    },
  )

  it('claims falsely in less than 5% of studies, however long one looks', () => {
    expect(decidedBy(0.5, 400)).toBeLessThan(0.05)
  })

  it('decides an effect of 1.5 with 7 seeds in the middle', () => {
    const p = normalCdf(1.5)
    expect(decidedBy(p, 6)).toBe(0)
    expect(decidedBy(p, 7)).toBeGreaterThan(0.5)
  })

  it('needs 7 seeds at least, more where more is wanted', () => {
    expect([1, 2, 3, 5].map((comparisons) => fewestLooks(ENOUGH * comparisons))).toEqual([7, 9, 9, 10])
  })
})

/** By its definition: the smallest mean over all sets that have the comparison. */
function byClosure(evidences: readonly number[], own: number): number {
  const sets = Array.from({ length: 2 ** evidences.length }, (_, set) => evidences.filter((_, i) => (set >> i) & 1))
  const means = sets.map((set) => set.reduce((sum, each) => sum + each, 0) / set.length)
  return Math.min(...means.filter((_, set) => (set >> own) & 1))
}

describe('eHolm', () => {
  it('is the smallest mean of all sets with a comparison', () => {
    const key = keyOf(1, 'evidence')
    for (let family = 0; family < 50; family++) {
      const evidences = Array.from({ length: 5 }, (_, i) => Math.exp(8 * uniform(key, family * 5 + i) - 3))
      const corrected = eHolm(evidences)
      for (const [place, own] of corrected.entries()) expect(own).toBeCloseTo(byClosure(evidences, place), 9)
    }
  })

  it('leaves one comparison, and equal ones, as they are', () => {
    expect(eHolm([])).toEqual([])
    expect(eHolm([24])).toEqual([24])
    expect(eHolm([24, 24, 24])).toEqual([24, 24, 24])
    expect(eHolm([40, 0])).toEqual([20, 0])
  })
})

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

const plan = (seeds: number) => Array.from({ length: seeds }, (_, i) => i + 1)
const numbersOf = (numbers: readonly number[]) =>
  numbers.map((number, i): SeedNumber => ({ seed: i + 1, number, size: 1, failed: [], lost: 0 }))
const one = (numbers: readonly number[], seeds = 24) => lookFamily([numbersOf(numbers)], plan(seeds))[0]

const STUDIES = LONG ? 20_000 : 2000
const LIMIT = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / STUDIES)

/** Variants without any difference, compared to one baseline after every seed. */
function nullStudy(study: number, variants: number, seeds: number): SeedNumber[][] {
  const key = keyOf(study, 'null study')
  const value = (variant: number, seed: number) => normal(key, variant * seeds + seed)
  return Array.from({ length: variants - 1 }, (_, i) =>
    numbersOf(plan(seeds).map((_, seed) => value(i + 1, seed) - value(0, seed))),
  )
}

describe('lookFamily', () => {
  it('decides with the seed that reaches 20 to 1, and keeps to it', () => {
    const seven = one([1, 1, 1, 1, 1, 1, 1])
    expect(seven).toMatchObject({ decidedWith: 7, shown: true, sign: 1, reachable: true, plan: 24 })
    expect(seven?.evidence).toBeCloseTo(20.683, 3)
    const later = one([-1, -1, -1, -1, -1, -1, -1, 1, 1, 1])
    expect(later).toMatchObject({ decidedWith: 7, sign: -1 })
    expect(later?.path.at(-1)?.evidence).toBeLessThan(2)
    expect(one([-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])?.decidedWith).toBe(11)
  })

  it('bets nothing on ties, rounding, and where nothing is known', () => {
    const same = one([0, 1e-14, Number.NaN])
    expect(same).toMatchObject({ evidence: 1, decidedWith: null })
    expect(one([Number.NaN, 1, 1, 1, 1, 1, 1, 1])?.decidedWith).toBe(8)
  })

  it('says when the seeds that are left cannot decide it', () => {
    expect(one([1, -1, 1, -1], 24)?.reachable).toBe(true)
    expect(one([1, -1, 1, -1], 12)?.reachable).toBe(false)
    expect(one([], 6)?.reachable).toBe(false)
  })

  it('corrects for all that is compared, where one has more evidence than the others', () => {
    const [alone, other] = lookFamily([numbersOf(plan(8)), numbersOf([1, -1, 1, -1, 1, -1, 1, -1])], plan(24))
    expect(one(plan(8))?.shown).toBe(true)
    expect(alone).toMatchObject({ shown: false })
    expect(alone?.highestCorrected).toBeLessThan(alone?.highest ?? 0)
    expect(other?.shown).toBe(false)
    expect(lookFamily([numbersOf(plan(7)), numbersOf(plan(7))], plan(24)).map((each) => each.decidedWith)).toEqual([
      7, 7,
    ])
  })

  it('gives each of several studies that were planned together its share', () => {
    const [own] = lookFamily([numbersOf(plan(8))], plan(24), 2)
    expect(own).toMatchObject({ shown: false, reachable: true })
    expect(own?.evidence).toBeCloseTo((one(plan(8))?.path[7]?.evidence ?? 0) / 2, 9)
    expect(lookFamily([numbersOf(plan(9))], plan(24), 2)[0]?.decidedWith).toBe(9)
  })

  it.each([2, 4])(
    'looking after each seed, with %i variants, claims anything falsely in one of 20 studies at most',
    (variants) => {
      let claimed = 0
      for (let study = 0; study < STUDIES; study++) {
        if (lookFamily(nullStudy(study, variants, 24), plan(24)).some(({ shown }) => shown)) claimed += 1
      }
      expect(claimed / STUDIES).toBeLessThanOrEqual(LIMIT)
    },
  )

  it('claims anything falsely in at most 5% of studies that ask several questions in their order', () => {
    let claimed = 0
    for (let study = 0; study < STUDIES; study++) {
      const questions = nullStudy(study, 4, 24).map((numbers) => [numbers])
      const answered = decidedInOrder(questions, (parts) =>
        lookFamily(parts, plan(24)).map((test) => ({ ...test, passed: test.shown })),
      )
      if (answered.some(({ tests, exploratory }) => exploratory === null && tests.some(({ shown }) => shown)))
        claimed += 1
    }
    expect(claimed / STUDIES).toBeLessThanOrEqual(LIMIT)
  })
})
