import { describe, expect, it } from 'vitest'
import type { MetricMeaning } from '../../../../engine/records/meaning.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { answers } from '../../../../engine/study/questions/answers.ts'
import { askedOf } from '../../../../engine/study/questions/asked.ts'
import { ask } from '../../../../engine/study/questions/index.ts'
import { lookedQuestions } from '../../../../engine/study/questions/looked.ts'
import { type ComparedRun, verdicts } from '../../../../engine/study/statistics/index.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'

/** A run by its value; it diverged with none. */
function run(variant: string, seed: number, value: number | null, meaning: MetricMeaning, metric: string): ComparedRun {
  const id = seed * 10 + variant.length
  const metrics = value === null ? {} : { [metric]: { last: value, best: value, meaning } }
  const ended =
    value === null ? ({ status: 'failed', error: 'loss is NaN at step 3' } as const) : ({ status: 'done' } as const)
  return { id, variant, seed, ...ended, backend: 'simd', metrics }
}

interface Given {
  /** By seed from 1 on: what `mixer` is above `gmlp`; null where it failed. */
  differences: (number | null)[]
  meaning?: MetricMeaning
  upTo?: number
  /** Seeds without runs. */
  without?: number[]
}

function verdictOf({ differences, meaning = ACCURACY, upTo = 24, without = [] }: Given) {
  const metric = 'test/accuracy'
  const runs = differences.flatMap((each, i) => [
    run('gmlp', i + 1, 0.5, meaning, metric),
    run('mixer', i + 1, each === null ? null : 0.5 + each, meaning, metric),
  ])
  const variants = ['gmlp', 'mixer']
  const design = {
    metric,
    variants: variants.map((variant) => ({ variant, settings: {}, intended: [] })),
    anytime: { upTo },
  }
  const found = runs.filter(({ seed }) => !without.includes(seed))
  const [verdict] = verdicts({ metric, runs: found.toReversed(), variants, baseline: 'gmlp', design })
  return verdict
}

const wins = [0.018, 0.012, 0.021, 0.009, 0.025, 0.016, 0.02, 0.014, 0.011, 0.023]

describe('a verdict after looks', () => {
  it('says with which evidence and seed it was decided, and that the estimate is too large', () => {
    expect(verdictOf({ differences: wins.slice(0, 7) })?.sentence).toBe(
      'mixer is more accurate than gmlp on most seeds (7 of 7 seeds, evidence 20 to 1, decided with seed 7); median difference 1.8 points, confidence sequence 0.9 to 2.5; an estimate after stopping is too large',
    )
    const later = verdictOf({ differences: [-0.004, ...wins] })
    expect(later?.sentence).toMatch(
      /^mixer is more accurate than gmlp on most seeds \(10 of 11 seeds, evidence 26 to 1, decided with seed 11\); median/,
    )
    expect(later).toMatchObject({ claim: 'better', wins: 10, losses: 1, moreSeeds: 0, exploratory: null })
  })

  it('says what is worse, and of a metric without a side what differs', () => {
    const worse = verdictOf({ differences: wins, meaning: LOSS })
    expect(worse?.sentence).toMatch(
      /^mixer has a higher loss than gmlp on most seeds \(10 of 10 seeds, .*median difference 0.017 nats, confidence sequence/,
    )
    const aside = verdictOf({ differences: wins, meaning: {} })
    expect(aside?.sentence).toMatch(
      /^mixer is higher than gmlp on most seeds \(10 of 10 seeds, .*; which way is better is not known$/,
    )
  })

  it('says how far it is where nothing is decided', () => {
    expect(verdictOf({ differences: [0.01, -0.01, 0.02] })?.sentence).toBe(
      'mixer is not shown to differ from gmlp: better on 2 of 3 seeds (evidence 0.5 to 1 after seed 3 of at most 24, 20 to 1 decides); median difference +1.0 points',
    )
    const spent = verdictOf({ differences: wins.map((each, i) => (-1) ** i * each), upTo: 10 })
    expect(spent?.sentence).toMatch(
      /^mixer is not shown to differ from gmlp: better on 5 of 10 seeds .* after all 10 seeds, 20 to 1 decides\); median/,
    )
    const hopeless = verdictOf({ differences: [0.01, -0.01, 0.01, -0.01], upTo: 10 })
    expect(hopeless?.sentence).toMatch(/; the seeds that are left cannot decide it$/)
  })

  it('counts evidence in the order of the plan, up to the first seed that is not over', () => {
    const found = verdictOf({ differences: wins, without: [5] })
    expect(found?.looks?.path.map(({ seed }) => seed)).toEqual([1, 2, 3, 4])
    expect(found).toMatchObject({ claim: 'too few', missing: [5] })
    expect(found?.sentence).toMatch(
      /^mixer is not shown to differ from gmlp: better on 4 of 4 seeds .*; interim: 4 of 5 planned seeds$/,
    )
  })

  it('has one that diverged lose to one that did not', () => {
    const found = verdictOf({ differences: [...wins.slice(0, 2), null, null, ...wins.slice(2)] })
    expect(found).toMatchObject({ wins: 10, losses: 2, claim: 'open' })
    expect(found?.interval?.low).toBe(Number.NEGATIVE_INFINITY)
    expect(found?.sentence).toContain('confidence sequence minus infinity to')
    const worse = verdictOf({ differences: Array.from({ length: 7 }, () => null) })
    expect(worse?.sentence).toMatch(
      /^mixer is less accurate than gmlp on most seeds \(7 of 7 seeds, .*mixer failed on 7 of 7 seeds .*median difference infinity, /,
    )
  })

  it('has a p that is valid at any time', () => {
    const found = verdictOf({ differences: wins.slice(0, 7) })
    expect(found?.p).toBeCloseTo(1 / 20.683, 4)
    expect(found?.adjusted).toBe(found?.p)
  })
})

describe('an answer after looks', () => {
  const variants = ['a 1', 'a 2', 'b 1', 'b 2']
  function answersTo(questions: AskedQuestion[], value: (block: string, lr: number, seed: number) => number) {
    const metric = 'test/accuracy'
    const design = {
      metric,
      questions,
      anytime: { upTo: 24 },
      variants: variants.map((variant) => {
        const [block = '', lr] = variant.split(' ')
        return { variant, settings: { block, lr: Number(lr) }, crossed: true as const, intended: ['train.lr'] }
      }),
    }
    const runs = variants.flatMap((variant, place) =>
      Array.from({ length: 8 }, (_, i) => {
        const [block = '', lr] = variant.split(' ')
        const found = run(variant, i + 1, value(block, Number(lr), i + 1), ACCURACY, metric)
        return { ...found, id: place * 100 + i }
      }),
    )
    return answers({ metric, runs, variants, baseline: 'a 1', design })
  }

  it('is tested in the order of the plan, each with its own evidence', () => {
    const [block, lr] = answersTo([ask.effect('block'), ask.effect('lr')], (block, lr, seed) => {
      return 0.5 + (block === 'b' ? 0.1 : 0) + (lr === 2 ? 0.05 * (-1) ** seed : 0)
    })
    expect(block?.findings[0]?.sentence).toMatch(
      /^over all lr: block b is more accurate than block a on most seeds \(8 of 8 seeds, evidence 20 to 1, decided with seed 7\); median difference 10.0/,
    )
    expect(lr).toMatchObject({ exploratory: null })
    const [open, after] = answersTo([ask.effect('lr'), ask.effect('block')], (block, lr, seed) => {
      return 0.5 + (block === 'b' ? 0.1 : 0) + (lr === 2 ? 0.05 * (-1) ** seed : 0)
    })
    expect(open?.findings[0]?.looks?.decidedWith).toBeNull()
    expect(after?.exploratory).toBe('question 1 of the plan is open')
  })

  it('is not asked for what needs all seeds at once', () => {
    const designed = variants.map((variant) => {
      const [block = '', lr] = variant.split(' ')
      return { variant, settings: { block, lr: Number(lr) }, crossed: true as const, intended: [] }
    })
    const asked = askedOf('s', designed)
    const questions = [ask.best('block', { over: 'lr' }), ask.effect('block')]
    expect(lookedQuestions(questions, asked, false)).toEqual([ask.effect('block')])
    expect(() => lookedQuestions(questions, asked, true)).toThrow(
      /^s.questions: '.*' needs all seeds at once, and cannot be looked at after each; give a number of seeds$/,
    )
  })
})
