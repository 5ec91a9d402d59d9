import { describe, expect, it } from 'vitest'
import type { StoredRun } from '../../../engine/records/run.ts'
import { spread, summarize } from '../../../engine/study/summary.ts'

const run = (variant: string, last: number, status = 'done') =>
  ({ variant, status, metrics: { 'test/accuracy': { last } } }) as unknown as StoredRun

describe('summarize', () => {
  it('gives mean and sample deviation over finished runs', () => {
    const runs = [run('a', 0.5), run('a', 0.7), run('a', 0.1, 'failed'), run('b', 0.4)]
    const rows = summarize('test/accuracy', ['a', 'b', 'c'], runs)
    expect(rows[0]).toMatchObject({ variant: 'a', n: 2 })
    expect(rows[0]?.mean).toBeCloseTo(0.6)
    expect(rows[0]?.sd).toBeCloseTo(Math.SQRT2 / 10)
    expect(rows[1]).toEqual({ variant: 'b', n: 1, mean: 0.4, sd: null })
    expect(rows[2]).toEqual({ variant: 'c', n: 0, mean: null, sd: null })
  })
  it('leaves out runs without the metric', () => {
    expect(summarize('test/top5', ['a'], [run('a', 0.5)])).toEqual([{ variant: 'a', n: 0, mean: null, sd: null }])
  })
})

describe('spread', () => {
  it('is exact for equal values', () => {
    expect(spread([0.1, 0.1, 0.1]).sd).toBeCloseTo(0, 15)
  })
})
