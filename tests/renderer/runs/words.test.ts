import { describe, expect, it } from 'vitest'
import type { MetricSummary, StoredRun } from '../../../engine/study/types.ts'
import { mainMetric, percentOrNumber, when } from '../../../renderer/runs/words.ts'

const runWith = (metrics: Record<string, number>) =>
  ({
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, last]) => [name, { last } as MetricSummary])),
  }) as StoredRun

describe('mainMetric', () => {
  it('is the accuracy on held-out data, else another accuracy, else none', () => {
    expect(mainMetric(runWith({ 'train/accuracy': 1, 'eval/accuracy': 0.5 }))).toBe(0.5)
    expect(mainMetric(runWith({ 'test/accuracy': 0.4, loss: 2 }))).toBe(0.4)
    expect(mainMetric(runWith({ loss: 2 }))).toBeNull()
  })
})

it('shows accuracies as percentages', () => {
  expect([percentOrNumber(0.5), percentOrNumber(12.3456), percentOrNumber(null)]).toEqual(['50.0 %', '12.35', '–'])
})

it.each([
  [0, 'just now'],
  [90_000, '1 minute ago'],
  [7_200_000, '2 hours ago'],
  [3 * 86_400_000, '3 days ago'],
  [30 * 86_400_000, '1970-01-02'],
])('%d ms ago is %s', (age, text) => {
  expect(when(86_400_000, 86_400_000 + age)).toBe(text)
})
