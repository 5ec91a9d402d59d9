import { describe, expect, it } from 'vitest'
import type { Failures } from '../../../../engine/study/statistics/judgement.ts'
import {
  digitsFor,
  interimOf,
  type Judged,
  judgedParts,
  planText,
  sentenceOf,
  signedText,
  withParts,
} from '../../../../engine/study/statistics/sentences.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'

const SIDES = { own: 'gated', other: 'plain' }
const FAILURES: Failures = {
  ...{ seeds: 6, learned: 6, upTo: 0.39, by: {}, threshold: 0.5, about: 'learned' },
  ...{ p: null, adjusted: null, claim: null },
}

/** The parts of a judgement over six seeds, better on four and equal on none. */
function parts(change: Partial<Judged>) {
  return judgedParts({
    ...{ meaning: ACCURACY, claim: 'open', seeds: 6, difference: 0.0123, interval: null, p: 0.2, adjusted: 0.2 },
    ...{ effect: 0.5, wins: 4, ties: 0, losses: 2, problems: [], moreSeeds: 12, failures: FAILURES, sides: SIDES },
    ...change,
  })
}
const claimOf = (change: Partial<Judged>) => parts(change).claim?.[0]

describe('the parts of a judgement', () => {
  it('name three problems and count the rest', () => {
    const start = 'no verdict: not only the models differ, but also '
    expect(claimOf({ problems: ['a', 'b', 'c'] })).toBe(`${start}a, b, c`)
    expect(claimOf({ problems: ['a', 'b', 'c', 'd', 'e'] })).toBe(`${start}a, b, c, 2 more`)
  })

  it('say how many seeds are better, or worse, or equal, and the p', () => {
    expect(parts({ claim: 'better' })).toMatchObject({
      claim: ['gated is more accurate than plain by 1.2 points'],
      figures: ['4 of 6 seeds', 'p = 0.2'],
    })
    expect(claimOf({ claim: 'worse', difference: -0.0123 })).toBe('gated is less accurate than plain by 1.2 points')
    expect(parts({ ties: 1, wins: 4, losses: 1 }).figures?.[0]).toBe('better on 4, equal on 1 of 6 seeds')
    expect(parts({ claim: 'too few' })).toMatchObject({
      claim: ['too few seeds to tell gated from plain: +1.2 points'],
      figures: ['better on 4 of 6 seeds'],
    })
  })

  it.each([
    ['loss', 'lower', 'nats', 'gated has a lower loss than plain by 0.012 nats'],
    ['macro recall', 'higher', 'share', 'gated has a better macro recall than plain by 1.2 points'],
    [undefined, 'lower', 'ms', 'gated is better than plain by 0.012 ms'],
  ] as const)('compare in the words of the metric: %s', (words, better, unit, claim) => {
    const difference = better === 'lower' ? -0.0123 : 0.0123
    expect(claimOf({ claim: 'better', difference, meaning: { words, better, unit } })).toBe(claim)
  })

  it('say what is counted, equal, and which way neither is better', () => {
    const macs = { words: 'multiply-adds', better: 'lower' } as const
    expect(claimOf({ claim: 'counted', difference: -8192, meaning: macs })).toBe(
      'gated has 8192 fewer multiply-adds than plain',
    )
    expect(claimOf({ claim: 'same' })).toBe('gated equals plain on all 6 seeds')
    const neither = parts({ claim: 'different', meaning: { words: 'sparsity', unit: 'share' } })
    expect(neither.claim).toEqual(['gated has a higher sparsity than plain by 1.2 points'])
    expect(neither.more).toEqual(['which way is better is not known'])
  })

  it.each([
    [{ moreSeeds: null }, 'more than 100 more seeds are needed to settle a difference of this size'],
    [{ moreSeeds: 1, effect: null }, 'at least 1 more seed is needed'],
    [{ moreSeeds: 3 }, 'about 3 more seeds would settle a difference of this size'],
  ])('say what would settle it: %j', (change, end) => {
    expect(parts(change).more?.at(-1)).toBe(end)
  })

  it('say for which seeds a claim holds, and what it assumes', () => {
    const by = { gated: { failed: 0, seeds: 6, upTo: 0.39 }, plain: { failed: 0, seeds: 6, upTo: 0.39 } }
    expect(parts({ claim: 'better', failures: { ...FAILURES, by } }).failures).toEqual([
      '6 of 6 seeds learned in both, so up to 39% of seeds may still fail (95%)',
      'assumes symmetric differences',
    ])
    const failures = { ...FAILURES, learned: 4, by: { ...by, gated: { failed: 2, seeds: 6, upTo: 0.73 } } }
    expect(parts({ failures }).failures).toEqual(['gated failed on 2 of 6 seeds (up to 73%)'])
    expect(parts({ claim: 'better', failures }).failures?.[0]).toBe('holds for seeds that learn')
    const shown = { ...failures, claim: 'more', adjusted: 0.01 } as const
    expect(parts({ claim: 'fails more', failures: shown })).toMatchObject({
      claim: ['gated fails more often than plain'],
      figures: ['p = 0.01'],
    })
    expect(claimOf({ claim: 'mixed', failures: shown })).toBe(
      'gated fails more often than plain, and is more accurate than it',
    )
  })

  it('give amounts as their interval deserves, with its level', () => {
    const amount = (change: Partial<Judged>) => [claimOf(change), parts(change).figures?.[0]?.split('; ')[0]]
    const interval = { low: 0.004, high: 0.0206, level: 0.95 }
    const open = 'gated is not shown to differ from plain:'
    expect(amount({ interval })).toEqual([`${open} +1.2 points`, '95% CI 0.4 to 2.1'])
    expect(amount({ interval: { ...interval, level: 0.975 }, claim: 'better' })[1]).toBe('97.5% CI 0.4 to 2.1')
    expect(amount({ interval: { low: 0.0121, high: 0.0125, level: 0.95 } })[0]).toContain('+1.230 points')
    const loss = { meaning: LOSS, interval: { low: -40, high: 80, level: 0.95 }, difference: 12.3 }
    expect(amount(loss)).toEqual([`${open} +12 nats (lower is better)`, '95% CI -40 to 80'])
    const better = { meaning: LOSS, claim: 'better' as const, difference: -12.3 }
    const found = amount({ ...better, interval: { low: -13.4, high: -11, level: 0.95 } })
    expect(found).toEqual(['gated has a lower loss than plain by 12.3 nats', '95% CI 11.0 to 13.4'])
  })
})

it('is a sentence of its parts, in the order of their kinds', () => {
  const said = {
    ...{ notes: ['n'], plan: planText('chosen', interimOf(2, 6)), more: ['d'], failures: ['c'] },
    ...{ figures: ['a', 'b'], claim: ['better'], instead: ['at batch 128 instead of 64'] },
  }
  const start = 'at batch 128 instead of 64: better (a, b); c;'
  const end = 'd; exploratory: chosen; interim: 6 of 8 planned seeds; n'
  expect(sentenceOf(said)).toBe(`${start} ${end}`)
  const more = withParts({ parts: said, sentence: '' }, { floors: ['short'], ledger: ['one of 19'] })
  expect(more.sentence).toBe(`${start} one of 19; short; ${end}`)
})

it('has a sign, and none for what is rounded to nothing', () => {
  expect([1.84, -0.42, 0, 0.04, -0.04].map((value) => signedText(value, 1))).toEqual([
    ...['+1.8', '-0.4', '0.0', '0.0', '0.0'],
  ])
})

it('has two digits of an uncertainty below 30, else one, and eight decimals at most', () => {
  expect([0, -1, 300, 3, 2.9, 0.3, 0.29, 1e-12].map(digitsFor)).toEqual([0, 0, 0, 0, 1, 1, 2, 8])
})
