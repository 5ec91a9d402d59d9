import { expect, it } from 'vitest'
import { normalCdf, normalQuantile } from '../../../../engine/study/statistics/distributions.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

it.each(golden.normal.cases)('has the probability and the quantile of $x', ({ x, p }) => {
  expect(Math.abs(normalCdf(x) - p)).toBeLessThan(1e-15)
  expect(normalQuantile(p)).toBeCloseTo(x, 6)
})

it('ends where a double ends', () => {
  expect([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1])
  expect([normalQuantile(0), normalQuantile(1)].map(Math.round)).toEqual([-8, 8])
})
