import { describe, expect, it } from 'vitest'
import { failedText, failuresOf, lostVariant } from '../../../engine/study/failures.ts'

const run = (variant: string, seed: number, error: string | null = null) => ({
  ...{ variant, seed, error },
  status: error === null ? ('done' as const) : ('failed' as const),
})

describe('failed runs', () => {
  it('that were not tried are told apart, and count as lost', () => {
    const skipped = [2, 3].map((seed) => ({ ...run('a', seed, 'a:1: no'), skipped: true }))
    const runs = [run('a', 1, 'a:1: no'), ...skipped, run('b', 1)]
    expect(failuresOf(runs)).toEqual([{ reason: 'a:1: no', runs: 'a, seed 1, and every other seed would' }])
    expect(failedText(runs)).toBe('1 of 4 runs failed, 2 not tried')
    expect(lostVariant(runs)).toBe(true)
  })

  it('are told together where they have one reason, the most first', () => {
    const runs = [run('a', 1, 'wrong'), run('b', 2, 'NaN'), run('a', 10, 'NaN'), run('a', 2, 'NaN'), run('b', 1)]
    expect(failuresOf(runs)).toEqual([
      { reason: 'NaN', runs: 'b, seed 2; a, seeds 2, 10' },
      { reason: 'wrong', runs: 'a, seed 1' },
    ])
    expect(failedText(runs)).toBe('4 of 5 runs failed')
    expect(failuresOf([{ ...run('a', 1), status: 'failed' }])).toEqual([{ reason: 'unknown', runs: 'a, seed 1' }])
  })

  it('are none, one, or all of a variant', () => {
    expect([failuresOf([run('a', 1)]), failedText([run('a', 1)]), failedText([])]).toEqual([[], null, null])
    expect(failedText([run('a', 1, 'x')])).toBe('1 of 1 run failed')
    expect(lostVariant([])).toBe(false)
    expect(lostVariant([run('a', 1, 'x'), run('a', 2), run('b', 1)])).toBe(false)
    expect(lostVariant([run('a', 1), run('b', 1, 'x'), run('b', 2, 'y')])).toBe(true)
  })
})
