import { describe, expect, it } from 'vitest'
import { divergedText } from '../../../../engine/records/diverged.ts'
import type { ComparedRun } from '../../../../engine/study/statistics/types.ts'
import { run, runsOf } from './runs.ts'
import { BASE, SMALL, said, verdictOf } from './withMargin.ts'

const lost = (variant: string, seed: number, more: Partial<ComparedRun> = {}) =>
  run(variant, seed, 0, { status: 'failed', error: divergedText(Number.NaN, 9), ...more, metrics: {} })

describe('a run that diverged', () => {
  const gains = SMALL.map((gain) => 0.02 + gain)
  const own = (from: readonly number[] = gains) =>
    from.map((gain, i) => run('gated', i + 1, (BASE[i] as number) + gain))

  it('loses to one that did not', () => {
    const base = [...runsOf('plain', BASE.slice(0, 6)), lost('plain', 7), lost('plain', 8)]
    const verdict = verdictOf(own(), { base })
    expect(verdict).toMatchObject({
      claim: 'better',
      wins: 8,
      p: 2 / 256,
      missing: [],
      diverged: { seeds: 2, by: { plain: 2 } },
    })
    expect(verdict.pairs).toHaveLength(6)
    expect(verdict.sentence).toBe(
      'better on 8 of 8 seeds, of which plain diverged on 2; +2.07 points, 95% interval 1.92 to 2.18, on the 6 others',
    )
  })

  it('outweighs as the worst rank what is better on the others', () => {
    const verdict = verdictOf([...own().slice(0, 6), lost('gated', 7), lost('gated', 8)])
    expect(verdict).toMatchObject({ claim: 'open', wins: 6, losses: 2 })
    expect(verdict.sentence).toMatch(
      /^no difference shown: better on 6 of 8 seeds, of which gated diverged on 2; \+2\.07 points, 95% interval .*, on the 6 others; not shown to be equal within 1 point; /,
    )
  })

  it('is equal to another one', () => {
    const base = [...runsOf('plain', BASE.slice(0, 7)), lost('plain', 8)]
    expect(verdictOf([...own().slice(0, 7), lost('gated', 8)], { base })).toMatchObject({
      claim: 'better',
      wins: 7,
      ties: 1,
    })
  })

  it('has no mean where all did', () => {
    const base = [1, 2, 3, 4, 5, 6].map((seed) => lost('plain', seed))
    expect(said(own().slice(0, 6), { base })).toBe('better on 6 of 6 seeds, of which plain diverged on 6')
  })

  it('is missing where it failed for another reason, and in a study that was planned with neither margin nor questions', () => {
    const other = [...runsOf('plain', BASE.slice(0, 7)), lost('plain', 8, { error: 'out of memory' })]
    expect(verdictOf(own(), { base: other })).toMatchObject({ missing: [8], wins: 7 })
    const base = [...runsOf('plain', BASE.slice(0, 7)), lost('plain', 8)]
    expect(said(own(), { base, margin: undefined })).toMatch(
      /^better by 2\.01 points, .* 7 of 7 seeds; 1 of 8 seeds is missing$/,
    )
  })
})
