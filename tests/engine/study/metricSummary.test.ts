import { describe, expect, it } from 'vitest'
import { metricSummary } from '../../../engine/study/metricSummary.ts'
import { ACCURACY, LOSS, MEANINGS } from '../../meanings.ts'

describe('metricSummary', () => {
  it('gives the same for points taken together and one after the other', () => {
    const values = [3, Number.NaN, 1, 4, 1, Number.POSITIVE_INFINITY, 2]
    const steps = values.map((_, i) => i * 10)
    for (const meaning of [ACCURACY, LOSS, undefined]) {
      const together = metricSummary(null, { steps, values }, meaning)
      const apart = values.reduce<ReturnType<typeof metricSummary> | null>(
        (before, value, i) => metricSummary(before, { steps: [i * 10], values: [value] }, meaning),
        null,
      )
      expect(apart).toEqual(together)
    }
  })

  it('takes the earliest of equally good points as the best', () => {
    const points = { steps: [1, 2, 3], values: [5, 1, 1] }
    expect(metricSummary(null, points, LOSS)).toMatchObject({ best: 1, bestStep: 2, last: 1, lastStep: 3 })
    expect(metricSummary(null, points, ACCURACY)).toMatchObject({ best: 5, bestStep: 1 })
  })

  it.each([
    ['test/macro_recall', 3],
    ['test/topic_loss', 1],
    ['test/iou', 3],
    ['test/bleu', 3],
  ])('has the best of %s by what that says, not by its name', (name, best) => {
    expect(metricSummary(null, { steps: [1, 2, 3], values: [1, 3, 2] }, MEANINGS[name]).best).toBe(best)
  })

  it('has the last value as the best where no way is better, and smallest and largest all the same', () => {
    const points = { steps: [1, 2, 3, 4], values: [5, 1, 2, Number.NaN] }
    expect(metricSummary(null, points)).toMatchObject({ best: 2, bestStep: 3, min: 1, max: 5 })
  })

  it('keeps what the metric means', () => {
    const first = metricSummary(null, { steps: [1], values: [1] }, ACCURACY)
    expect(metricSummary(first, { steps: [2], values: [2] })).toMatchObject({ best: 2, meaning: ACCURACY })
  })

  it('has the smallest and the largest value, wherever they are', () => {
    for (const values of [
      [2, 1, 3, 2],
      [2, 3, 1, 2],
    ]) {
      const points = { steps: [1, 2, 3, 4], values }
      expect(metricSummary(null, points, ACCURACY)).toMatchObject({ min: 1, max: 3, best: 3 })
      expect(metricSummary(null, points, LOSS)).toMatchObject({ min: 1, max: 3, best: 1 })
    }
    const equal = { steps: [1, 2], values: [5, 5] }
    expect(metricSummary(null, equal, ACCURACY)).toMatchObject({ best: 5, bestStep: 1 })
  })

  it('has the first step as that of the best where there is no number', () => {
    const points = { steps: [4, 5], values: [Number.NaN, Number.NaN] }
    expect(metricSummary(null, points, LOSS)).toMatchObject({ best: Number.NaN, bestStep: 4, min: Number.NaN })
  })

  it('has a best as soon as there is a number', () => {
    const points = { steps: [1, 2, 3], values: [Number.NaN, 7, Number.NaN] }
    const summary = { best: 7, bestStep: 2, min: 7, max: 7, last: Number.NaN, lastStep: 3, count: 3 }
    expect(metricSummary(null, points, ACCURACY)).toEqual({ ...summary, meaning: ACCURACY })
  })
})
