import { describe, expect, it } from 'vitest'
import { normalCdf } from '../../../../../engine/study/statistics/distributions.ts'
import { evidence, fewestLooks } from '../../../../../engine/study/statistics/sequentialTest.ts'
import { ENOUGH } from '../../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../../golden/statistics.json' with { type: 'json' }

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
