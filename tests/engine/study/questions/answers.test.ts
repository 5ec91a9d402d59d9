import { describe, expect, it } from 'vitest'
import type { VariantDesign } from '../../../../engine/records/design.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { answers } from '../../../../engine/study/questions/answers.ts'
import { ask } from '../../../../engine/study/questions/index.ts'
import { questionsOf } from '../../../../engine/study/questions/questionsOf.ts'
import { run } from '../statistics/runs.ts'

const BLOCKS = ['gmlp', 'mixer']
const RATES = [0.001, 0.01]
const variants: VariantDesign[] = BLOCKS.flatMap((block) =>
  RATES.map((lr) => ({
    variant: `block=${block} lr=${lr}`,
    settings: { block, lr },
    crossed: true as const,
    intended: ['block', 'train.learningRate'],
  })),
)
const NOISE = [0, 0.004, -0.003, 0.002, -0.001, 0.003, -0.002, 0.001]

/** Runs of eight seeds: `value` of a block and a rate, with noise that differs between variants. */
function runsWith(value: (block: string, lr: number) => number) {
  return variants.flatMap(({ variant, settings: { block, lr } }, place) =>
    NOISE.map((_, seed) =>
      run(variant, seed + 1, value(String(block), Number(lr)) + (NOISE[(seed + 3 * place) % 8] ?? 0)),
    ),
  )
}

function answered(
  questions: AskedQuestion[] | undefined,
  runs: ReturnType<typeof runsWith>,
  correction?: 'holm',
  margin?: number,
) {
  const design = { study: 'rates', variants, metric: 'test/accuracy', questions, correction, margin }
  const names = variants.map(({ variant }) => variant)
  return answers({ metric: 'test/accuracy', design, runs, variants: names, baseline: names[0] ?? '' })
}

const plan = () => questionsOf('rates', undefined, variants)

describe('answers', () => {
  it('of a factorial study are by default each effect, and each interaction of two', () => {
    const found = answered(
      plan(),
      runsWith((block, lr) => (block === 'mixer' ? 0.1 : 0) + (lr === 0.01 ? 0.05 : 0) + 0.5),
    )
    expect(found.map(({ title }) => title)).toEqual(['effect of block', 'effect of lr', 'interaction of block and lr'])
    expect(found.map(({ findings }) => findings[0]?.claim)).toEqual(['better', 'better', 'open'])
    expect(found[0]?.findings[0]?.sentence).toMatch(
      /^over all lr: block mixer is more accurate than block gmlp by 10\.00 points \(95% CI .*; 8 of 8 seeds, p = 0\.0078\); /,
    )
    expect(found[0]?.findings[0]?.difference).toBeCloseTo(0.1, 2)
    expect(found[2]?.findings[0]?.sentence).toMatch(
      /^block mixer instead of gmlp, at lr 0\.01 rather than 0\.001: no difference shown/,
    )
    expect(found.map(({ exploratory }) => exploratory)).toEqual([null, null, null])
  })

  it('say where an effect depends on another factor', () => {
    const found = answered(
      [ask.interaction('block', 'lr')],
      runsWith((block, lr) => (block === 'mixer' && lr === 0.01 ? 0.7 : 0.5)),
    )
    expect(found[0]?.findings[0]?.sentence).toMatch(
      /^block mixer instead of gmlp, at lr 0\.01 rather than 0\.001: gains more by 20\.00 points \(.* 8 of 8 seeds, p = 0\.0078\); /,
    )
  })

  it('are exploratory after a question that stays open', () => {
    const runs = runsWith((block) => (block === 'mixer' ? 0.6 : 0.5))
    const found = answered([ask.effect('lr'), ask.effect('block')], runs)
    expect(found.map(({ exploratory }) => exploratory)).toEqual([null, 'question 1 of the plan is open'])
    expect(found[1]?.findings[0]?.sentence).toMatch(/; exploratory: question 1 of the plan is open$/)
    const together = answered([ask.effect('lr'), ask.effect('block')], runs, 'holm')
    expect(together.map(({ exploratory }) => exploratory)).toEqual([null, null])
    expect(together[1]?.findings[0]).toMatchObject({ claim: 'better', p: 2 / 256, adjusted: 4 / 256 })
  })

  it('count the seeds of which a run is missing', () => {
    const runs = runsWith((block) => (block === 'mixer' ? 0.6 : 0.5)).slice(1)
    const [found] = answered([ask.effect('block')], runs)
    expect(found?.findings[0]).toMatchObject({ missing: [1], wins: 7 })
    expect(found?.findings[0]?.sentence).toMatch(/; interim: 7 of 8 planned seeds$/)
  })
})

describe('answers with a margin', () => {
  it('say what is equal within it, of effects and of interactions', () => {
    const found = answered(
      [ask.effect('block'), ask.effect('lr'), ask.interaction('block', 'lr')],
      runsWith((block) => (block === 'mixer' ? 0.6 : 0.5)),
      'holm',
      0.02,
    )
    expect(found.map(({ findings }) => findings[0]?.claim)).toEqual(['better', 'equal', 'equal'])
    expect(found[1]?.findings[0]?.sentence).toMatch(
      /^over all block: lr 0\.01 equals lr 0\.001 within 2 points: .* points \([\d.]+% CI .*; within it on 8 of 8 seeds, p = /,
    )
    expect(found[0]?.findings[0]?.sentence).not.toContain('equal')
  })
})

describe('runs that diverged', () => {
  const diverging = (isLost: (variant: string, seed: number) => boolean) =>
    runsWith((block) => (block === 'mixer' ? 0.6 : 0.5)).map((each) =>
      isLost(each.variant, each.seed)
        ? { ...each, status: 'failed' as const, error: 'loss is NaN at step 3', metrics: {} }
        : each,
    )

  it('are failures, of which the mean is not', () => {
    const [block] = answered(
      [ask.effect('block')],
      diverging((variant, seed) => variant.includes('gmlp lr=0.01') && seed < 3),
    )
    expect(block?.findings[0]).toMatchObject({ claim: 'better', wins: 6, missing: [], p: 2 / 64 })
    expect(block?.findings[0]?.sentence).toMatch(
      / more accurate than block gmlp by 10\.0\d* points .* 6 of 6 seeds, p = 0\.031\); holds for seeds that do not diverge; block=gmlp lr=0\.01 failed on 2 of 8 seeds \(up to 60%\)/,
    )
  })

  it('say nothing where as many did on both sides', () => {
    const [block] = answered(
      [ask.effect('block')],
      diverging((variant, seed) => variant.includes('lr=0.01') && seed < 3),
    )
    expect(block?.findings[0]).toMatchObject({ claim: 'better', wins: 6, failures: { seeds: 8, learned: 6, p: null } })
  })
})

describe('questions', () => {
  it.each([
    [ask.effect('blok'), "rates.questions: unknown factor 'blok' (did you mean 'block'?)"],
    [ask.interaction('lr', 'lr'), "rates.questions: an interaction of 'lr' with itself"],
  ])('that do not fit are refused: %j', (question, message) => {
    expect(() => questionsOf('rates', [question], variants)).toThrow(message)
  })

  it('need every combination of levels', () => {
    expect(() => questionsOf('rates', [ask.effect('block')], variants.slice(1))).toThrow(
      'rates.questions: the variants block=gmlp lr=0.001 are missing',
    )
    expect(questionsOf('rates', undefined, variants.slice(1))).toBeUndefined()
  })

  it('need factors', () => {
    const plain = [{ variant: 'gmlp', settings: {}, intended: [] }]
    expect(() => questionsOf('rates', [ask.effect('block')], plain)).toThrow('its variants have no factors')
  })
})
