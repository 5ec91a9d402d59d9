import { expect, it } from 'vitest'
import { holm } from '../../../../engine/study/statistics/holm.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

it.each(golden.holm.cases)('adjusts $p as statsmodels does', ({ p, adjusted }) => {
  expect(holm(p).map((value) => Number(value.toFixed(10)))).toEqual(adjusted)
})

it('leaves one p as it is, and none', () => {
  expect(holm([0.03])).toEqual([0.03])
  expect(holm([])).toEqual([])
})

it('counts comparisons, of whose hypotheses one can be true, until all of one are rejected', () => {
  expect(holm([0.01, 0.02, 0.03], [0, 0, 1])).toEqual([0.02, 0.04, 0.04])
  expect(holm([0.01, 0.04, 0.03], [0, 0, 1])).toEqual([0.02, 0.06, 0.06])
})
