import { expect, it } from 'vitest'
import {
  effect,
  mcnemar,
  normalCdf,
  normalQuantile,
  studentTQuantile,
} from '../../../../engine/study/statistics/distributions.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

it.each(golden.normal.cases)('has the probability and the quantile of $x', ({ x, p }) => {
  expect(Math.abs(normalCdf(x) - p)).toBeLessThan(1e-15)
  expect(normalQuantile(p)).toBeCloseTo(x, 6)
})

it('ends where a double ends', () => {
  expect([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1])
  expect([normalQuantile(0), normalQuantile(1)].map(Math.round)).toEqual([-8, 8])
})

it.each(golden.studentT.cases)('has the quantile $p with $freedom degrees of freedom', ({ p, freedom, t }) => {
  expect(Math.abs(studentTQuantile(p, freedom) / t - 1)).toBeLessThan(1e-9)
})

it('is 0 in the middle, and near the normal one with many degrees of freedom', () => {
  for (const freedom of [1, 2, 31]) expect(studentTQuantile(0.5, freedom)).toBeCloseTo(0, 12)
  expect(studentTQuantile(0.975, 100_000)).toBeCloseTo(normalQuantile(0.975), 4)
})

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

// binom.test(min(b, c), b + c)$p.value of R
it.each([
  [0, 0, 1],
  [0, 5, 0.0625],
  [1, 9, 0.021484375],
  [15, 5, 0.04138946533203125],
  [10, 10, 1],
])('of %i and %i', (first, second, p) => {
  expect(mcnemar(first, second)).toBeCloseTo(p, 12)
  expect(mcnemar(second, first)).toBe(mcnemar(first, second))
})

it('takes thousands', () => {
  expect(mcnemar(5000, 5000)).toBe(1)
  expect(mcnemar(4900, 5100)).toBeCloseTo(0.0466, 3)
})
