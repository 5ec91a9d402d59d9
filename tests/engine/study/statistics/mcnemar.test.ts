import { expect, it } from 'vitest'
import { mcnemar } from '../../../../engine/study/statistics/distributions.ts'

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
