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

  it('are told together where the numbers of a loss that is not finite are all that differs', () => {
    const log = (line: number, step: number) =>
      `own:${line}: loss is NaN at step ${step}: Log is the first to give such a value, in the forward pass of step ${step}, of x [${step}] of 0; at step 2 the loss was ${step}; keep it`
    const diverged = (step: number) => `head: loss is NaN at step ${step}: training diverged; Exp gave it; try less`
    const errors = [log(5, 1), log(5, 7), log(6, 1), diverged(9), diverged(11)]
    expect(failuresOf(errors.map((error, seed) => run('a', seed, error)))).toEqual([
      { reason: log(5, 1), runs: 'a, seeds 0, 1' },
      { reason: diverged(9), runs: 'a, seeds 3, 4' },
      { reason: log(6, 1), runs: 'a, seed 2' },
    ])
  })

  it('are none, one, or all of a variant', () => {
    expect([failuresOf([run('a', 1)]), failedText([run('a', 1)]), failedText([])]).toEqual([[], null, null])
    expect(failedText([run('a', 1, 'x')])).toBe('1 of 1 run failed')
    expect(lostVariant([])).toBe(false)
    expect(lostVariant([run('a', 1, 'x'), run('a', 2), run('b', 1)])).toBe(false)
    expect(lostVariant([run('a', 1), run('b', 1, 'x'), run('b', 2, 'y')])).toBe(true)
  })
})
