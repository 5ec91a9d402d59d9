import { describe, expect, it } from 'vitest'
import type { VerdictsInput } from '../../../../engine/study/statistics/judgement.ts'
import { pairsOf as pairsBy } from '../../../../engine/study/statistics/verdict.ts'
import { ACCURACY } from '../../../meanings.ts'
import { run } from './runs.ts'

const rule = { threshold: null, fixed: false }
const pairsOf = (variant: string, input: VerdictsInput) => pairsBy(variant, input, rule, ACCURACY)
const base = { metric: 'test/accuracy', variants: ['a', 'b'], baseline: 'a' }

describe('pairsOf', () => {
  it('pairs runs by seed', () => {
    const runs = [run('b', 2, 0.75), run('a', 1, 0.5), run('a', 2, 0.5), run('b', 1, 0.25)]
    const { pairs, missing } = pairsOf('b', { ...base, runs })
    expect(pairs.map(({ seed, difference }) => [seed, difference])).toEqual([
      [1, -0.25],
      [2, 0.25],
    ])
    expect(pairs[0]?.runs).toEqual([runs[3]?.id, runs[1]?.id])
    expect(missing).toEqual([])
  })

  it('takes the newest run that is done', () => {
    const runs = [run('a', 1, 0.5), run('b', 1, 0.9), run('b', 1, 0.6), run('b', 1, 0.1, { status: 'failed' })]
    expect(pairsOf('b', { ...base, runs }).pairs.map(({ value }) => value)).toEqual([0.6])
    expect(pairsOf('b', { ...base, runs: runs.toReversed() }).pairs.map(({ value }) => value)).toEqual([0.6])
  })

  it('compares the best value where it is asked to', () => {
    const runs = [run('a', 1, 0.5, { best: 0.7 }), run('b', 1, 0.6, { best: 0.65 })]
    expect(pairsOf('b', { ...base, runs, which: 'best' }).pairs[0]).toMatchObject({ value: 0.65, baseline: 0.7 })
  })

  it('never joins a test with test examples that a run also chose by', () => {
    const old = { metric: 'eval/accuracy' }
    const runs = [run('a', 1, 0.5, old), run('b', 1, 0.6), run('a', 2, 0.5), run('b', 2, 0.6, old), run('a', 3, 0.5)]
    expect(pairsOf('b', { ...base, runs })).toMatchObject({ pairs: [], missing: [1, 2, 3] })
    expect(pairsOf('b', { ...base, runs, metric: 'eval/accuracy' })).toMatchObject({ pairs: [] })
  })

  it('names the seeds that have no pair', () => {
    const runs = [
      run('a', 1, 0.5),
      run('b', 1, 0.5),
      run('a', 2, 0.5),
      run('a', 3, 0.5),
      run('b', 3, 0.5, { status: 'interrupted' }),
      run('b', 4, 0.5),
    ]
    expect(pairsOf('b', { ...base, runs, seeds: [1, 2, 3, 4, 9] })).toMatchObject({
      pairs: [{ seed: 1 }],
      missing: [2, 3, 4, 9],
    })
  })

  it('has failures where values are not numbers, and leaves out runs without the metric', () => {
    const runs = [run('a', 1, 0.5), run('b', 1, Number.NaN), run('a', 2, 0.5), { ...run('b', 2, 0), metrics: {} }]
    const { pairs, missing, numbers } = pairsOf('b', { ...base, runs })
    expect([pairs, missing]).toEqual([[], [2]])
    expect(numbers).toMatchObject([{ seed: 1, failed: ['b'], lost: 1 }])
  })
})
