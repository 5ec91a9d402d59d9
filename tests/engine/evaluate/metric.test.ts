import { describe, expect, it } from 'vitest'
import { isMetric, metric } from '../../../engine/evaluate/index.ts'

const collect = () => ({ add: () => {}, value: () => 1 })
const wrong = (...given: unknown[]) => {
  try {
    ;(metric as (...given: unknown[]) => unknown)(...given)
  } catch (error) {
    return String((error as Error).message)
  }
  return null
}

describe('metric', () => {
  it('is a name, what it means, and how it is collected', () => {
    const recall = metric('macro_recall', { better: 'higher', unit: 'share', bounds: [0, 1] }, collect)
    const meaning = { better: 'higher', unit: 'share', bounds: [0, 1], words: 'macro recall' }
    expect(recall).toEqual({ kind: 'metric', name: 'macro_recall', meaning, collect, decides: collect })
    expect([isMetric(recall), isMetric(collect), isMetric(null)]).toEqual([true, false, false])
    const { meaning: open } = metric('cost', { better: 'lower', bounds: [0, Number.POSITIVE_INFINITY] }, collect)
    expect(open).toEqual({ better: 'lower', bounds: [0, null], words: 'cost' })
  })

  it.each([
    [['test/recall', { better: 'higher' }, collect], /^metric: 'test\/recall', expected letters, digits, _ and -, /],
    [['', { better: 'higher' }, collect], /^metric: ''/],
    [[7, { better: 'higher' }, collect], /^metric: number, expected letters/],
    [['recall', {}, collect], "metric 'recall'.better: missing, expected one of higher, lower"],
    [['recall', { better: 'up' }, collect], "metric 'recall'.better: unknown value 'up' (known: higher, lower)"],
    [['recall', { better: 'higher', units: 'share' }, collect], /unknown option 'units' \(did you mean 'unit'\?\)/],
    [
      ['recall', { better: 'higher', bounds: [1, 0] }, collect],
      /metric 'recall'.bounds: \[1,0\], expected the smaller/,
    ],
    [['recall', { better: 'higher', bounds: [0, 'x'] }, collect], /bounds.1: 'x', expected a number, Infinity/],
    [['recall', { better: 'higher' }], "metric 'recall': expected a function () => ({ add, value }) as third argument"],
    [['recall'], /metric 'recall': missing, expected an object/],
  ])('of %j is an error', (given, message) => {
    expect(wrong(...given)).toMatch(message)
  })
})
