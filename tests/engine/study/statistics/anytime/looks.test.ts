import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../../engine/random.ts'
import { decidedInOrder } from '../../../../../engine/study/questions/order.ts'
import type { SeedNumber } from '../../../../../engine/study/statistics/failures.ts'
import { lookFamily } from '../../../../../engine/study/statistics/sequentialTest.ts'
import { LONG } from '../../../../long.ts'

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
