import { expect, it } from 'vitest'
import { holm } from '../../../../engine/study/statistics/family.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

it.each(golden.holm.cases)('adjusts $p as statsmodels does', ({ p, adjusted }) => {
  expect(holm(p).map((value) => Number(value.toFixed(10)))).toEqual(adjusted)
})

it('leaves one p as it is, and none', () => {
  expect(holm([0.03])).toEqual([0.03])
  expect(holm([])).toEqual([])
})
