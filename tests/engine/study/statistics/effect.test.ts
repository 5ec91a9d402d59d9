import { expect, it } from 'vitest'
import { effect } from '../../../../engine/study/statistics/distributions.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

const samples: Record<string, number[]> = golden.samples

it.each(golden.effect.cases)('is corrected for $sample', ({ sample, effect: expected }) => {
  expect(effect(samples[sample] as number[])).toBeCloseTo(expected, 10)
})

it('has the sign of the mean', () => {
  expect(effect([-1, -2, -4])).toBe(-(effect([1, 2, 4]) as number))
})

it.each([
  ['below three pairs', [1, 2]],
  ['without spread', [0.1, 0.1, 0.1]],
  ['without any difference', [0, 0, 0]],
  ['with spread by rounding only', [0.3, 0.1 + 0.2, 0.3]],
])('is null %s', (_, differences) => {
  expect(effect(differences)).toBeNull()
})
