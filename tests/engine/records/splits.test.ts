import { describe, expect, it } from 'vitest'
import {
  curveOf,
  isLegacyMetric,
  measureOf,
  metricTitle,
  migrateMetricName,
  selectionMetric,
  splitOf,
  splitTitle,
} from '../../../engine/records/splits.ts'

const WORDS = '(test, also used for choosing)'

describe('the name of a metric', () => {
  it('is its split and what was measured', () => {
    expect([splitOf('test/accuracy'), measureOf('test/accuracy')]).toEqual(['test', 'accuracy'])
    expect([splitOf('lr'), measureOf('lr')]).toEqual(['', 'lr'])
  })

  it.each([
    ['test/accuracy', 'validation/accuracy'],
    ['mismatched/accuracy', 'validation/accuracy'],
    ['validation/loss', 'validation/loss'],
  ])('%s is chosen by %s', (metric, expected) => {
    expect(selectionMetric(metric)).toBe(expected)
  })

  it('of before means that of the test, and says what its examples were used for', () => {
    expect(['eval/accuracy', 'test/accuracy', 'train/loss'].map(migrateMetricName)).toEqual([
      ...['test/accuracy', 'test/accuracy', 'train/loss'],
    ])
    expect(['eval/accuracy', 'evaluation/accuracy', 'test/accuracy'].map(isLegacyMetric)).toEqual([true, false, false])
    expect(['eval/accuracy', 'test/accuracy'].map((name) => metricTitle(name))).toEqual([
      `eval/accuracy ${WORDS}`,
      'test/accuracy',
    ])
    expect(metricTitle('best:eval/accuracy', 'eval/accuracy')).toBe(`best:eval/accuracy ${WORDS}`)
    expect(['eval', 'test'].map(splitTitle)).toEqual([`eval ${WORDS}`, 'test'])
  })

  it.each([
    ['test/accuracy', ['test/accuracy', 'validation/accuracy'], 'validation/accuracy'],
    ['test/accuracy', ['test/accuracy'], 'test/accuracy'],
    ['train/loss', ['validation/loss'], 'train/loss'],
    ['eval/accuracy', ['validation/accuracy'], 'eval/accuracy'],
  ])('%s among %j has the curve of %s', (metric, known, expected) => {
    expect(curveOf(metric, known)).toBe(expected)
  })
})
