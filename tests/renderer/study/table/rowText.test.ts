import { describe, expect, it } from 'vitest'
import { runCounts } from '../../../../renderer/study/table/VariantTable.tsx'

describe('runCounts', () => {
  it('is one word where all runs are alike', () => {
    expect(runCounts([{ status: 'done' }, { status: 'done' }], false)).toBe('done')
    expect(runCounts([], false)).toBe('')
  })

  it('counts, and tells runs that wait from runs that will not be trained', () => {
    const runs = [{ status: 'waiting' }, { status: 'done' }] as const
    expect(runCounts([...runs], true)).toBe('1 done, 1 waiting')
    expect(runCounts([...runs], false)).toBe('1 done, 1 not run')
  })
})
