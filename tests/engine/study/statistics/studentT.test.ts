import { expect, it } from 'vitest'
import { normalQuantile, studentTQuantile } from '../../../../engine/study/statistics/distributions.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

it.each(golden.studentT.cases)('has the quantile $p with $freedom degrees of freedom', ({ p, freedom, t }) => {
  expect(Math.abs(studentTQuantile(p, freedom) / t - 1)).toBeLessThan(1e-9)
})

it('is 0 in the middle, and near the normal one with many degrees of freedom', () => {
  for (const freedom of [1, 2, 31]) expect(studentTQuantile(0.5, freedom)).toBeCloseTo(0, 12)
  expect(studentTQuantile(0.975, 100_000)).toBeCloseTo(normalQuantile(0.975), 4)
})
