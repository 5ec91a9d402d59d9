import { describe, expect, it } from 'vitest'
import type { StudyDesign } from '../../../../engine/records/design.ts'
import { alikeOf } from '../../../../engine/study/planned/alike.ts'
import { costLines, outlook, outlookOfPairs, shownLines } from '../../../../engine/study/planned/outlook.ts'
import { plannedText } from '../../../../engine/study/planned/words.ts'
import { ask } from '../../../../engine/study/questions/index.ts'
import { futile, prospects } from '../../../../engine/study/questions/prospects.ts'
import { questionsOf } from '../../../../engine/study/questions/questionsOf.ts'

const METRIC = 'test/accuracy'
const SHARE = { better: 'higher', unit: 'share' } as const

const variants = ['gmlp', 'mixer'].flatMap((block) =>
  [0.001, 0.01, 0.1].map((lr) => ({
    variant: `block=${block} lr=${lr}`,
    settings: { block, lr },
    crossed: true as const,
    intended: [],
  })),
)

function crossed(seeds: number, more: Partial<StudyDesign> = {}): StudyDesign {
  const runs = Array.from({ length: seeds }, (_, i) => i + 1).flatMap((seed) =>
    variants.map(({ variant }) => ({ variant, seed, key: `${variant} ${seed}` })),
  )
  const questions = [ask.effect('block'), ask.effect('lr'), ask.interaction('block', 'lr')]
  return { study: 'rates', metric: METRIC, variants, runs, questions, ...more }
}

/** Runs of models 1 and 2 whose values spread by 0.02 between seeds. */
const stored = [1, 2].flatMap((model) =>
  [-1, 0, 1].map((at, seed) => {
    const summary = { last: 0.5 + model / 10 + at * 0.02, best: 0, lastStep: 1, bestStep: 1, min: 0, max: 1, count: 1 }
    return { id: 10 * model + seed, seed, model, ms: 60_000, metrics: { [METRIC]: summary } }
  }),
)

describe('what a study can show', () => {
  it('is told for each question, at the level that is left to it', () => {
    const found = prospects(crossed(8))
    expect(found.map(({ title, comparisons, needed, enough }) => [title, comparisons, needed, enough])).toEqual([
      ['effect of block', 1, 6, true],
      ['effect of lr', 2, 7, true],
      ['interaction of block and lr', 2, 7, true],
    ])
    expect(found.map(({ spread }) => Number(spread?.toFixed(3)))).toEqual([0.816, 1, 2])
    expect(prospects(crossed(8, { correction: 'holm' })).map(({ family, needed }) => [family, needed])).toEqual(
      Array.from({ length: 3 }, () => [5, 8]),
    )
  })

  it('is nothing where no question can reach 0.05, which one sentence says', () => {
    const say = (seeds: number, more: Partial<StudyDesign> = {}) =>
      futile(prospects(crossed(seeds, more)), more.correction)
    expect(say(6)).toBeNull()
    expect(say(5)).toBe('the plan cannot show anything: 5 seeds cannot reach 0.05 (smallest p 0.0625); 6 seeds can')
    expect(say(6, { correction: 'holm' })).toBe(
      "the plan cannot show anything: with 5 comparisons 6 seeds cannot reach 0.05 after Holm's correction (smallest p 0.16); 8 seeds can",
    )
    expect(say(6, { questions: [ask.effect('lr'), ask.effect('block')] })).toMatch(
      /^the plan cannot show anything: with 2/,
    )
  })

  it('is in the unit of the metric where runs like these are known, with the cost', () => {
    const alike = alikeOf(stored, METRIC)
    expect(alike).toEqual({ sd: expect.closeTo(0.02, 9), upper: expect.closeTo(0.02 * 1.5576, 5), runs: 6, ms: 60_000 })
    const found = outlook(crossed(8), 12, alike)
    const [first] = found.questions
    expect(first?.amount).toBeCloseTo((first?.smallest ?? 0) * (alike.upper ?? 0) * Math.sqrt(2 / 3), 9)
    expect(shownLines(found, SHARE)[0]).toBe('effect of block: 8 seeds show an effect of 3 points with a power of 0.8')
    expect(costLines(found, SHARE)).toEqual([
      '6 runs like these spread by 2 points between seeds, planned for is 3.1 points, the upper 80% bound',
      'about 12 min for 12 runs, as long as such runs took',
    ])
  })

  it('is in standard deviations where nothing like it was trained, and of pairs from their numbers alone', () => {
    const found = outlook(crossed(8), 48, alikeOf([], METRIC))
    expect(shownLines(found, {})[0]).toMatch(/^effect of block: 8 seeds show an effect of 1\.\d standard deviations/)
    expect(costLines(found, {})).toEqual([])
    expect(outlookOfPairs(8, 1)[0]).toBe(shownLines(found, {})[0]?.replace('effect of block: ', ''))
    expect([outlookOfPairs(5, 1), outlookOfPairs(8, 0)]).toEqual([[], []])
  })

  it('says what the power of the best of several supposes', () => {
    const found = outlook(crossed(8, { questions: [ask.best('block', { over: 'lr' })] }), 48, alikeOf([], METRIC))
    expect(shownLines(found, {})[0]).toMatch(/with a power of 0\.8, where one lr is clearly the best$/)
  })
})

it('a factor with one level cannot be asked about', () => {
  const same = variants.map((each) => ({ ...each, settings: { ...each.settings, depth: 4 } }))
  expect(() => questionsOf('rates', [ask.effect('depth')], same)).toThrow(
    "rates.questions: factor 'depth' has one level, 4, and a question needs two or more",
  )
})

it('a plan is told in words', () => {
  const plan = {
    at: Date.UTC(2026, 10, 24),
    metric: METRIC,
    variants: ['plain', 'gated'],
    seeds: [1, 2, 3],
    departs: [],
  }
  expect(plannedText(plan)).toBe('planned 2026-11-24: seeds 1 to 3, gated against plain, by test/accuracy')
  const more = { ...plan, variants: ['a', 'b', 'c'], questions: [ask.pairs()], departs: ['planned without d'] }
  expect(plannedText(more)).toBe(
    'planned 2026-11-24: seeds 1 to 3, 3 variants, 1 question, by test/accuracy; changed later',
  )
  expect(plannedText({ ...plan, variants: ['a', 'b', 'c'] })).toContain('2 variants against a')
  expect(plannedText({ ...plan, variants: ['a'] })).toBe('planned 2026-11-24: seeds 1 to 3, a, by test/accuracy')
  expect(plannedText({ ...plan, at: null })).toBeNull()
})
