import { describe, expect, it } from 'vitest'
import { signFlip } from '../../../../engine/study/statistics/signFlip.ts'
import { swapTest } from '../../../../engine/study/statistics/swap.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }

/** The sum of differences, whose swap turns their sign: what sign flips test. */
const swapped = (differences: readonly number[]) =>
  swapTest(differences.length, (isSwapped) =>
    differences.reduce((sum, value, seed) => sum + (isSwapped(seed) ? -value : value), 0),
  )

describe('swapTest', () => {
  it.each(['six', 'sixMixed', 'skewed', 'ties'] as const)('of a sum is the sign-flip test: %s', (name) => {
    const sample = golden.samples[name]
    expect(swapped(sample)).toEqual({ p: signFlip(sample), smallest: 2 ** (1 - sample.length) })
  })

  it('draws swaps beyond 12 seeds, the same in each call', () => {
    const { p, smallest } = swapped(golden.samples.maize)
    expect(p).toBeCloseTo(golden.signFlip.published.p, 2)
    expect(swapped(golden.samples.maize).p).toBe(p)
    expect(smallest).toBe(1e-4)
  })

  it('shows nothing of no seeds', () => {
    expect(swapped([])).toEqual({ p: 1, smallest: 1 })
  })
})
