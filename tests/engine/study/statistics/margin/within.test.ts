import { describe, expect, it } from 'vitest'
import { type Key, keyOf, normal, uniform } from '../../../../../engine/random.ts'
import { corrected, type PValue } from '../../../../../engine/study/statistics/family.ts'
import { marginProspect } from '../../../../../engine/study/statistics/index.ts'
import { testOf } from '../../../../../engine/study/statistics/judge.ts'
import { sample } from '../../../../long.ts'

const STUDIES = 2000
/** 5%, and two standard errors of a share of 2,000 studies. */
const LIMIT = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / STUDIES)
const MARGIN = 1
const LEARNED = { size: 1, failed: [], lost: 0 }

type Noise = (key: Key, counter: number) => number
const skewed: Noise = (key, counter) => Math.log(uniform(key, counter) / uniform(key, counter + 1e9)) // of a pair
const heavy: Noise = (key, counter) => normal(key, counter) / (0.05 + uniform(key, counter + 1e9))

/** The tests of simulated studies whose comparisons have these means, and noise of this size. */
function studies(means: readonly number[], seeds: number, sd: number, noise: Noise = normal): PValue[][] {
  return Array.from({ length: STUDIES }, (_, study) => {
    const key = keyOf(study, 'margin')
    const number = (mean: number, at: number) => mean + sd * noise(key, at)
    const all = means.map((mean, i) =>
      Array.from({ length: seeds }, (_, seed) => ({ seed, number: number(mean, i * seeds + seed), ...LEARNED })),
    )
    return all.map((numbers) => testOf({ numbers, margin: MARGIN, sided: true, counted: false }))
  })
}

/** The share of studies with any false claim. */
function falseShare(means: readonly number[], seeds: number, sd: number, noise?: Noise): number {
  const isFalse = (test: ReturnType<typeof corrected>[number], mean: number) =>
    (test.shown && mean === 0) || (test.within?.above && mean <= -MARGIN) || (test.within?.below && mean >= MARGIN)
  const all = studies(means, seeds, sd, noise).map((each) => corrected(each))
  return all.filter((tests) => tests.some((test, i) => isFalse(test, means[i] as number))).length / STUDIES
}

describe('a margin', () => {
  it.each(
    sample([
      [[1], 8, 0.4, normal],
      [[-1], 6, 0.2, skewed],
      [[1, 0], 8, 0.3, normal],
      [[1, -1, 0], 8, 0.2, normal],
      [[1], 9, 1, heavy],
      [[0, 1, 1, -1, 0], 9, 0.15, skewed],
    ] as const),
  )('claims something false in at most 5%% of studies with means %j, the margin being 1', (means, seeds, sd, noise) => {
    expect(falseShare(means, seeds, sd, noise)).toBeLessThanOrEqual(LIMIT)
  })

  it('shows what is equal with the power that docs/statistics.md says', () => {
    const power = (seeds: number, sd: number) =>
      studies([0], seeds, sd)
        .map((each) => corrected(each))
        .filter(([test]) => test?.within?.above && test.within.below).length / STUDIES
    expect(Math.abs(power(6, 1) - 0.36)).toBeLessThan(0.03)
    expect(Math.abs(power(8, 1) - 0.61)).toBeLessThan(0.03)
    expect(Math.abs(power(12, 1) - 0.89)).toBeLessThan(0.03)
    expect(power(6, 0.5)).toBeGreaterThan(0.95)
  })

  it('is no question of order: a question that is decided one way leaves the other, as docs/statistics.md says', () => {
    const isFalse = ([first, second]: PValue[]) =>
      (first?.sides?.below ?? 1) <= 0.05 || Math.max(first?.p ?? 1, second?.p ?? 1) <= 0.05
    const inOrder = studies([1, 0], 8, 0.6).filter(isFalse).length / STUDIES
    expect(inOrder).toBeGreaterThan(0.07)
    expect(falseShare([1, 0], 8, 0.6)).toBeLessThanOrEqual(LIMIT)
  })

  it('corrects nothing between a difference and equality, and over comparisons by those that have something left', () => {
    const test = (p: number, above: number, below: number) => ({ p, smallest: 0, sides: { above, below, seeds: 9 } })
    const [alone] = corrected([test(0.04, 0.04, 0.04)])
    expect(alone).toMatchObject({ adjusted: 0.04, shown: true, within: { above: true, below: true, adjusted: 0.04 } })
    const [one, other] = corrected([test(0.01, 0.01, 0.02), test(0.04, 0.03, 0.6)])
    expect([one?.adjusted, one?.within?.adjusted]).toEqual([0.02, 0.04])
    expect([other?.adjusted, other?.within]).toMatchObject([0.04, { above: true, below: false, adjusted: 0.6 }])
    const [first, second] = corrected([test(0.01, 0.01, 0.5), test(0.04, 0.03, 0.6)]) // each has one that may be true
    expect([first?.adjusted, second?.adjusted, second?.within?.above]).toEqual([0.02, 0.08, false])
  })

  it('needs five seeds at least, and more for several comparisons', () => {
    expect(marginProspect(4, 1)).toBe('4 seeds cannot show that anything is equal within the margin; 5 seeds can')
    expect(marginProspect(5, 2)).toBe('5 seeds cannot show that anything is equal within the margin; 6 seeds can')
    expect([marginProspect(5, 1), marginProspect(1, 0)]).toEqual([null, null])
    const [short] = corrected([
      testOf({
        numbers: [1, 2, 3, 4].map((seed) => ({ seed, number: 0, ...LEARNED })),
        ...{ margin: MARGIN, sided: true, counted: false },
      }),
    ])
    expect(short?.within).toMatchObject({ above: false, below: false, tooFew: true })
  })
})
