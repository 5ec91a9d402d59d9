import { expect, it } from 'vitest'
import { keyOf, normal, uniform } from '../../../../engine/random.ts'
import { type SeedNumber, scores } from '../../../../engine/study/statistics/scores.ts'
import { signFlip } from '../../../../engine/study/statistics/signFlip.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

/** Numbers by seed; an infinite one is of a run that diverged. */
const numbers = (all: readonly number[]): SeedNumber[] =>
  all.map((number, seed) => ({ seed, number, size: 1, ...(Math.abs(number) > 1e6 && { diverged: ['mixer'] }) }))

it('are the numbers, moved, where nothing diverged', () => {
  expect(scores(numbers([1, -2, 0.5]))).toEqual([1, -2, 0.5])
  expect(scores(numbers([1, -2, 0]), 0.5)).toEqual([1.5, -1.5, 0.5])
})

it.each(golden.signedRanks.cases)('are signed ranks where runs diverged, as those of scipy: $x', ({ x, ranks, p }) => {
  const all = x.map((value) => (Math.abs(value) > 1e6 ? Math.sign(value) * Infinity : value))
  expect(scores(numbers(all))).toEqual(ranks)
  expect(signFlip(scores(numbers(all)))).toBe(p)
})

it('say nothing of a seed on which both sides diverged, with any shift', () => {
  const both = { seed: 9, number: 0, size: 0, diverged: ['gmlp', 'mixer'] }
  expect(scores([...numbers([0.1, 0.2]), both], 0.5)).toEqual([2, 3, 0])
})

it('treat both sides of a seed alike', () => {
  const all = numbers([0.3, -0.1, Infinity, -0.2, -Infinity])
  const mirrored = all.map((each) => ({ ...each, number: -each.number }))
  expect(scores(mirrored)).toEqual(scores(all).map((score) => -score))
})

it('claim a difference in at most 5% of studies without any, however many runs diverge', () => {
  const studies = 2000
  const shown = Array.from({ length: studies }, (_, study) => {
    const key = keyOf(study, 'diverged')
    const value = (run: number) => (uniform(key, 100 + run) < 0.2 ? -Infinity : normal(key, run))
    const all = Array.from({ length: 8 }, (_, seed): SeedNumber => {
      const [one, other] = [value(2 * seed), value(2 * seed + 1)]
      const isLost = !Number.isFinite(one) || !Number.isFinite(other)
      return { seed, number: one === other ? 0 : one - other, size: 1, ...(isLost && { diverged: ['one'] }) }
    })
    return signFlip(scores(all)) <= 0.05
  })
  const limit = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / studies)
  expect(shown.filter(Boolean).length / studies).toBeLessThanOrEqual(limit)
})
