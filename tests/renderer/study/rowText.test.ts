import { describe, expect, it } from 'vitest'
import { runCounts, spreadText } from '../../../renderer/study/rowText.ts'

describe('spreadText', () => {
  it('gives mean and deviation the same digits, more for small numbers', () => {
    expect(spreadText({ mean: 0.93125, sd: 0.0041 })).toBe('0.9313 ± 0.0041')
    expect(spreadText({ mean: 0.00123, sd: 0.0001 })).toBe('0.001230 ± 0.000100')
    expect(spreadText({ mean: 123.456, sd: 2 })).toBe('123.5 ± 2.0')
  })

  it('has no deviation for one run and a dash for none', () => {
    expect(spreadText({ mean: 0.5, sd: null })).toBe('0.5000')
    expect(spreadText({ mean: null, sd: null })).toBe('–')
  })
})

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
