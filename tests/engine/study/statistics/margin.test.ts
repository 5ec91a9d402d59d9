import { describe, expect, it } from 'vitest'
import { type Key, keyOf, normal, uniform } from '../../../../engine/random.ts'
import { corrected, type PValue } from '../../../../engine/study/statistics/family.ts'
import { marginProspect } from '../../../../engine/study/statistics/index.ts'
import { testOf } from '../../../../engine/study/statistics/judge.ts'
import { sample } from '../../../long.ts'
import { SMALL, said, verdictOf } from './withMargin.ts'

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

const HOLDS =
  '; no run of 8 seeds diverged, so up to 31% of seeds may still diverge (95%); assumes symmetric differences'

describe('with a margin a verdict', () => {
  it('says what is equal', () => {
    expect(verdictOf(SMALL)).toMatchObject({ claim: 'equal', within: { above: true, below: true, inside: 8 } })
    expect(said(SMALL)).toBe(
      `gated equals plain within 1 point: +0.03 points (90% CI -0.13 to 0.18; within it on 8 of 8 seeds, p = 0.0039)${HOLDS}`,
    )
    expect(said(SMALL, { metric: 'test/loss' })).toMatch(/^gated equals plain within 0\.01 nats: \+0\.0003/)
    expect(said(SMALL, { margin: 0.005 })).toMatch(/^gated equals plain within 0\.5 points: /)
  })

  it('says what is better, and yet within it', () => {
    const gains = SMALL.map((gain) => 0.004 + gain)
    expect(said(gains)).toBe(
      `gated is more accurate than plain by 0.43 points (95% CI 0.25 to 0.60; 8 of 8 seeds, p = 0.0078)${HOLDS}; within the margin of 1 point (90% CI 0.28 to 0.58)`,
    )
    expect(said(gains, { metric: 'test/loss' })).toMatch(
      /^gated has a higher loss than plain by 0\.004\d nats .*; within the margin of 0\.01 nats \(90% CI /,
    )
  })

  it('says as before what is better, and no word of a margin that it is beyond', () => {
    const gains = SMALL.map((gain) => 0.03 + gain)
    expect(said(gains)).toBe(said(gains, { margin: undefined }))
  })

  it('says what is not worse, or not better, by more than it', () => {
    const gains = [0.03, -0.005, 0.02, 0.001, -0.004, 0.015, 0.01, -0.002]
    expect(said(gains)).toMatch(
      /^gated is not worse than plain by more than 1 point: \+0\.8 points \(90% CI .*; better on 5 of 8 seeds\); /,
    )
    expect(said(gains.map((gain) => -gain))).toMatch(
      /^gated is not better than plain by more than 1 point: -0\.8 points \(/,
    )
    expect(verdictOf(gains, { metric: 'test/loss' }).claim).toBe('not better')
  })

  it('says neither where no way is better', () => {
    const gains = [0.03, -0.005, 0.02, 0.001, -0.004, 0.015, 0.01, -0.002]
    const sentence = said(gains, { metric: 'readout/own' })
    expect(sentence).toMatch(
      /^gated is not shown to differ from plain: .*; not shown to be equal within 0\.01; which way is better is not known; /,
    )
    expect(said(SMALL, { metric: 'readout/own' })).toMatch(/^gated equals plain within 0\.01: /)
  })

  it('leaves it open, with the seeds that would show it', () => {
    const gains = [0.022, -0.028, 0.016, -0.021, 0.014, 0.015, -0.012, 0.001]
    expect(said(gains)).toMatch(
      /^gated is not shown to differ from plain: \+0\.1 points \(95% .* 5 of 8 seeds, p = .*; not shown to be equal within 1 point; about \d+ more seeds? would show it equal$/,
    )
  })

  it('says how many seeds it takes at least', () => {
    expect(said(SMALL.slice(0, 4))).toMatch(
      /^too few seeds to tell gated from plain: .*; not shown to be equal within 1 point, which takes at least 5 seeds; /,
    )
    expect(said(SMALL.slice(0, 5))).toMatch(/^gated equals plain within 1 point: .*; within it on 5 of 5 seeds, p = /)
  })
})
