import { describe, expect, it } from 'vitest'
import type { Failures } from '../../../../engine/study/statistics/types.ts'
import {
  digitsFor,
  interimOf,
  type Judged,
  judgedParts,
  planText,
  sentenceOf,
  signedText,
} from '../../../../engine/study/statistics/words.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'

const FAILURES: Failures = {
  ...{ seeds: 6, learned: 6, upTo: 0.39, by: {}, threshold: 0.5, about: 'learned' },
  ...{ p: null, adjusted: null, claim: null },
}

/** The parts of a judgement over six seeds, better on four and equal on none. */
function parts(change: Partial<Judged>) {
  return judgedParts({
    ...{ meaning: ACCURACY, claim: 'open', seeds: 6, difference: 0.0123, interval: null, p: 0.2, adjusted: 0.2 },
    ...{ effect: 0.5, wins: 4, ties: 0, losses: 2, problems: [], moreSeeds: 12, failures: FAILURES },
    ...change,
  })
}

describe('the parts of a judgement', () => {
  it('name three problems and count the rest', () => {
    const start = 'no verdict: not only the models differ, but also '
    expect(parts({ problems: ['a', 'b', 'c'] }).claim).toBe(`${start}a, b, c`)
    expect(parts({ problems: ['a', 'b', 'c', 'd', 'e'] }).claim).toBe(`${start}a, b, c, 2 more`)
  })

  it('say how many seeds are better, or worse, or equal, and the p', () => {
    expect(parts({ claim: 'better' })).toMatchObject({
      claim: 'better by 1.2 points',
      figures: ['4 of 6 seeds', 'p = 0.2'],
    })
    expect(parts({ claim: 'worse', difference: -0.0123 })).toMatchObject({ claim: 'worse by 1.2 points' })
    expect(parts({ ties: 1, wins: 4, losses: 1 }).figures[0]).toBe('better on 4, equal on 1 of 6 seeds')
    expect(parts({ claim: 'too few' })).toMatchObject({
      claim: 'too few seeds: +1.2 points',
      figures: ['better on 4 of 6 seeds'],
    })
  })

  it.each([
    [{ moreSeeds: null }, 'more than 100 more seeds are needed to settle a difference of this size'],
    [{ moreSeeds: 1, effect: null }, 'at least 1 more seed is needed'],
    [{ moreSeeds: 3 }, 'about 3 more seeds would settle a difference of this size'],
  ])('say what would settle it: %j', (change, end) => {
    expect(parts(change).more.at(-1)).toBe(end)
  })

  it('say for which seeds a claim holds, and what it assumes', () => {
    const all = ['6 of 6 seeds learned, up to 39% may still fail (95%)', 'assumes symmetric differences']
    expect(parts({ claim: 'better' }).failures).toEqual(all)
    const by = { gated: { failed: 2, seeds: 6, upTo: 0.73 }, plain: { failed: 0, seeds: 6, upTo: 0.39 } }
    const failures = { ...FAILURES, learned: 4, by }
    expect(parts({ failures }).failures).toEqual(['gated failed on 2 of 6 seeds (up to 73%)'])
    expect(parts({ claim: 'better', failures }).failures[0]).toBe('holds for seeds that learn')
    const shown = { ...failures, claim: 'more', adjusted: 0.01 } as const
    expect(parts({ claim: 'fails more', failures: shown })).toMatchObject({
      claim: 'fails more often',
      figures: ['p = 0.01'],
    })
    expect(parts({ claim: 'mixed', failures: shown }).claim).toBe('fails more often, and is better')
  })

  it('give amounts as their interval deserves, with its level', () => {
    const amount = (change: Partial<Judged>) => [parts(change).claim, parts(change).figures[0]?.split('; ')[0]]
    const interval = { low: 0.004, high: 0.0206, level: 0.95 }
    expect(amount({ interval })).toEqual(['no difference shown: +1.2 points', '95% CI 0.4 to 2.1'])
    expect(amount({ interval: { ...interval, level: 0.975 }, claim: 'better' })).toEqual([
      ...['better by 1.2 points', '97.5% CI 0.4 to 2.1'],
    ])
    expect(amount({ interval: { low: 0.0121, high: 0.0125, level: 0.95 } })[0]).toContain('+1.230 points')
    const loss = { meaning: LOSS, interval: { low: -40, high: 80, level: 0.95 }, difference: 12.3 }
    expect(amount(loss)).toEqual(['no difference shown: +12 (lower is better)', '95% CI -40 to 80'])
    const better = { meaning: LOSS, claim: 'better' as const, difference: -12.3 }
    const found = amount({ ...better, interval: { low: -13.4, high: -11, level: 0.95 } })
    expect(found).toEqual(['better by 12.3 (lower)', '95% CI 11.0 to 13.4'])
  })
})

it('is a sentence of its parts', () => {
  const said = { claim: 'better', figures: ['a', 'b'], failures: ['c'], more: ['d'] }
  const whole = {
    instead: 'at batch 128 instead of 64',
    ...said,
    plan: planText('chosen', interimOf(2, 6)),
    notes: ['n'],
  }
  expect(sentenceOf(whole)).toBe(
    'at batch 128 instead of 64: better (a, b); c; d; exploratory: chosen; interim: 6 of 8 planned seeds; n',
  )
})

it('has a sign, and none for what is rounded to nothing', () => {
  expect([1.84, -0.42, 0, 0.04, -0.04].map((value) => signedText(value, 1))).toEqual([
    ...['+1.8', '-0.4', '0.0', '0.0', '0.0'],
  ])
})

it('has two digits of an uncertainty below 30, else one, and eight decimals at most', () => {
  expect([0, -1, 300, 3, 2.9, 0.3, 0.29, 1e-12].map(digitsFor)).toEqual([0, 0, 0, 0, 1, 1, 2, 8])
})
