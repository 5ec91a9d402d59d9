import { describe, expect, it } from 'vitest'
import type { VariantFloors } from '../../../../engine/records/design.ts'
import type { MetricMeaning } from '../../../../engine/records/meaning.ts'
import { armRows, floorsText, verdicts } from '../../../../engine/study/statistics/index.ts'

const METRIC = 'test/accuracy'
const meaning: MetricMeaning = { better: 'higher', unit: 'share', bounds: [0, 1], words: 'accuracy' }

function runsOf(variant: string, from: number, values: number[]) {
  return values.map((last, seed) => ({
    ...{ id: from + seed, variant, seed, status: 'done' as const, backend: 'cpu' },
    metrics: { [METRIC]: { last, best: last, meaning } },
  }))
}
const around = (value: number) => [0, 1, 2, 3, 4, 5].map((i) => value + 0.002 * i)
const arm = (variant: string, change: Partial<VariantFloors> = {}): VariantFloors => ({
  ...{ variant, epochs: 3.84, rises: [0, 0.001, -0.001, 0, 0.001, -0.001] },
  floors: [
    { name: 'chance', value: 0.1 },
    { name: 'logistic regression', value: 0.41 },
  ],
  ...{ fitted: 2048, train: 8000, measured: 500, test: 500 },
  ...change,
})

function inputOf(a: number, b: number, arms: VariantFloors[], margin?: number) {
  const runs = [...runsOf('a', 1, around(a)), ...runsOf('b', 11, around(b))]
  const variants = [
    { variant: 'a', settings: {}, intended: [] },
    { variant: 'b', settings: {}, intended: [] },
  ]
  return {
    metric: METRIC,
    runs,
    variants: ['a', 'b'],
    baseline: 'a',
    arms,
    design: { variants, metric: METRIC, margin },
  }
}
const sentenceOf = (...given: Parameters<typeof inputOf>) => verdicts(inputOf(...given))[0]?.sentence
const both = [arm('a'), arm('b')]

describe('a comparison of short training', () => {
  it('names the floor that a variant does not pass', () => {
    expect(sentenceOf(0.7, 0.3, both)).toContain(
      '; compares short training: b does not pass logistic regression (41.00 %)',
    )
    expect(sentenceOf(0.7, 0.8, both)).not.toContain('short')
  })

  it('names what still improves by more than the margin, or than two standard errors over seeds', () => {
    const rising = [arm('a'), arm('b', { rises: [0.03, 0.031, 0.032, 0.029, 0.03, 0.03] })]
    expect(sentenceOf(0.7, 0.8, rising)).toContain('b still improves by 3.0 points in the last fifth of training')
    expect(sentenceOf(0.7, 0.8, rising, 0.02)).toContain('short training')
    expect(sentenceOf(0.7, 0.8, rising, 0.05)).not.toContain('short training')
    expect(sentenceOf(0.7, 0.8, [arm('a'), arm('b', { rises: [0.03] })])).not.toContain('short training')
  })

  it('says nothing of another metric than the one of the study', () => {
    const input = inputOf(0.7, 0.3, both)
    const [found] = verdicts({ ...input, design: { ...input.design, metric: 'test/loss' } })
    expect(found?.sentence).not.toContain('short')
  })

  it('has chance from the floors, where all variants have the same', () => {
    const thresholdOf = (arms: VariantFloors[]) => verdicts(inputOf(0.7, 0.3, arms))[0]?.failures.threshold
    expect(thresholdOf(both)).toBeCloseTo(0.1 + (0.308 - 0.1) / 2)
    expect(thresholdOf([arm('a'), arm('b', { floors: [] })])).toBeNull()
  })
})

it('is saturated where all variants are within noise of perfect', () => {
  expect(
    sentenceOf(
      0.99,
      0.988,
      both.map((each) => ({ ...each, test: 300 })),
    ),
  ).toContain('; saturated: all variants are within noise of perfect')
  expect(sentenceOf(0.99, 0.9, both)).not.toContain('saturated')
})

it('is a row of a table, and a line of all floors', () => {
  expect(armRows(inputOf(0.7, 0.3, both), ['a', 'b'], meaning)).toEqual([
    { variant: 'a', epochs: '3.8', floor: '41.00 % logistic regression', short: '' },
    { variant: 'b', epochs: '3.8', floor: '41.00 % logistic regression', short: 'below floor' },
  ])
  expect(armRows(inputOf(0.7, 0.3, []), ['a', 'b'], meaning)).toEqual([])
  expect(floorsText(both, meaning)).toEqual([
    'floors: chance 10.00 %, logistic regression 41.00 % (fitted to 2048 of 8000 training examples, measured on 500 test examples)',
  ])
  expect(floorsText([arm('a'), arm('b', { floors: [] })], meaning)[0]).toContain('floors of a: ')
})
