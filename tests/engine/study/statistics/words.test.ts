import { describe, expect, it } from 'vitest'
import type { SeedPair, Verdict } from '../../../../engine/study/statistics/types.ts'
import { digitsFor, sentenceOf, signedText } from '../../../../engine/study/statistics/words.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'

const pair = (seed: number): SeedPair => ({
  seed,
  runs: [seed, seed + 100],
  value: 0.5,
  baseline: 0.4,
  difference: 0.1,
})

/** The sentence of a verdict over six seeds, better on four and equal on none. */
function say(change: Partial<Verdict>, seeds = 6): string {
  return sentenceOf({
    ...{ variant: 'gated', baseline: 'plain', metric: 'test/accuracy', meaning: ACCURACY, claim: 'open' },
    ...{ pairs: Array.from({ length: seeds }, (_, i) => pair(i + 1)), difference: 0.0123, interval: null },
    ...{ p: 0.2, adjusted: 0.2, effect: 0.5, wins: 4, ties: 0, losses: 2, missing: [], problems: [], notes: [] },
    ...{ moreSeeds: 12, instead: [], family: 1, exploratory: null, split: 'test' },
    ...change,
  } as Omit<Verdict, 'sentence'>)
}

describe('the sentence of a verdict', () => {
  it('names three problems and counts the rest', () => {
    const start = 'no verdict: not only the models differ, but also '
    expect(say({ problems: ['a', 'b', 'c'] })).toBe(`${start}a, b, c`)
    expect(say({ problems: ['a', 'b', 'c', 'd'] })).toBe(`${start}a, b, c, 1 more`)
    expect(say({ problems: ['a', 'b', 'c', 'd', 'e'] })).toBe(`${start}a, b, c, 2 more`)
  })

  it('says how many seeds are missing, and the notes last', () => {
    const end = (missing: number[]) =>
      say({ claim: 'better', missing, notes: ['one', 'two'] })
        .split('; ')
        .slice(1)
    expect(end([])).toEqual(['one', 'two'])
    expect(end([7])).toEqual(['1 of 7 seeds is missing', 'one', 'two'])
    expect(end([7, 8])).toEqual(['2 of 8 seeds are missing', 'one', 'two'])
  })

  it('says how many seeds are better, or worse, or equal', () => {
    expect(say({ claim: 'better' })).toBe('better by 1.2 points, 4 of 6 seeds')
    expect(say({ claim: 'worse', difference: -0.0123 })).toBe('worse by 1.2 points, 2 of 6 seeds')
    expect(say({ ties: 1 })).toContain('better on 4, equal on 1 of 6 seeds')
    expect(say({})).toContain('better on 4 of 6 seeds')
    expect(say({ claim: 'too few' }, 1)).toContain('too few seeds: +1.2 points, better on 4 of 1 seed; ')
  })

  it.each([
    [{ moreSeeds: null }, 'more than 100 more seeds are needed to settle a difference of this size'],
    [{ moreSeeds: 1, effect: null }, 'at least 1 more seed is needed'],
    [{ moreSeeds: 3, effect: null }, 'at least 3 more seeds are needed'],
    [{ moreSeeds: 1 }, 'about 1 more seed would settle a difference of this size'],
    [{ moreSeeds: 3 }, 'about 3 more seeds would settle a difference of this size'],
  ])('says what would settle it: %j', (change, end) => {
    expect(say(change).split('; ').at(-1)).toBe(end)
  })

  describe('with 0 outside of the interval', () => {
    const why = (change: Partial<Verdict>) => say({ interval: { low: 0.001, high: 0.02 }, ...change }).split('; ')[1]
    it('says why it claims nothing', () => {
      expect(why({ p: 0.06 })).toBe('the interval is narrow for so few seeds, p is 0.06')
      expect(why({ p: 0.05, adjusted: 0.1 })).toBe(
        "the interval is of this comparison alone, p after Holm's correction is 0.1",
      )
      expect(why({ interval: { low: -0.02, high: -0.001 } })).toMatch(/^the interval is narrow/)
    })
    it('says nothing of it where 0 is an end, or p is unknown, or the seeds are too few', () => {
      const next = /^about 12 more seeds/
      expect(why({ interval: { low: 0, high: 0.02 } })).toMatch(next)
      expect(why({ interval: { low: -0.02, high: 0 } })).toMatch(next)
      expect(why({ interval: { low: -0.02, high: 0.02 } })).toMatch(next)
      expect(why({ p: null })).toMatch(next)
      expect(why({ adjusted: null })).toMatch(next)
      expect(why({ interval: null })).toMatch(next)
      expect(why({ claim: 'too few' })).toMatch(next)
    })
  })

  it('gives amounts as their interval deserves', () => {
    const amount = (change: Partial<Verdict>) => say(change).split(/, (?:better on|\d of)/)[0]
    const interval = { low: 0.004, high: 0.0206 }
    expect(amount({ interval })).toBe('no difference shown: +1.2 points, 95% interval 0.4 to 2.1')
    expect(amount({ interval, claim: 'better' })).toBe('better by 1.2 points, 95% interval 0.4 to 2.1')
    expect(amount({ interval: { low: 0.0121, high: 0.0125 } })).toContain('+1.230 points, 95% interval 1.210 to 1.250')
    expect(amount({ interval: { low: -0.5, high: 0.6 } })).toContain('+1.2 points, 95% interval -50.0 to 60.0')
    expect(amount({ interval, claim: 'too few' })).toBe('too few seeds: +1.2 points')
    const loss = { metric: 'test/loss', meaning: LOSS, interval: { low: -40, high: 80 }, difference: 12.3 }
    expect(amount(loss)).toBe('no difference shown: +12 (lower is better), 95% interval -40 to 80')
    expect(amount({ ...loss, interval: null })).toBe('no difference shown: +12 (lower is better)')
    const worse = { low: 11, high: 13.4 }
    expect(amount({ ...loss, interval: worse, claim: 'worse' })).toBe(
      'worse by 12.3 (higher), 95% interval 11.0 to 13.4',
    )
    const better = {
      metric: 'test/loss',
      meaning: LOSS,
      claim: 'better' as const,
      difference: -12.3,
      interval: { low: -13.4, high: -11 },
    }
    expect(amount(better)).toBe('better by 12.3 (lower), 95% interval 11.0 to 13.4')
  })
})

it('has a sign, and none for what is rounded to nothing', () => {
  expect([1.84, -0.42, 0, 0.04, -0.04].map((value) => signedText(value, 1))).toEqual([
    ...['+1.8', '-0.4', '0.0', '0.0', '0.0'],
  ])
})

it('has two digits of an uncertainty below 30, else one, and eight decimals at most', () => {
  expect([0, -1, 300, 3, 2.9, 0.3, 0.29, 1e-12].map(digitsFor)).toEqual([0, 0, 0, 0, 1, 1, 2, 8])
})
