import { describe, expect, it } from 'vitest'
import { keyOf, normal, uniform } from '../../../../engine/random.ts'
import { divergedText } from '../../../../engine/records/diverged.ts'
import { chanceOf, failureBound, verdicts } from '../../../../engine/study/statistics/index.ts'
import type { ComparedRun, VerdictsInput } from '../../../../engine/study/statistics/judgement.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'
import { run, runsOf } from './runs.ts'
import { BASE, SMALL, said, verdictOf } from './withMargin.ts'

const lost = (variant: string, seed: number, more: Partial<ComparedRun> = {}) =>
  run(variant, seed, 0, { status: 'failed', error: divergedText(Number.NaN, 9), ...more, metrics: {} })
const gains = SMALL.map((gain) => 0.02 + gain)
const own = (from: readonly number[] = gains) => from.map((gain, i) => run('gated', i + 1, (BASE[i] as number) + gain))

describe('a run that diverged', () => {
  it('is a failure, and the mean is of the seeds on which none diverged', () => {
    const base = [...runsOf('plain', BASE.slice(0, 6)), lost('plain', 7), lost('plain', 8)]
    const verdict = verdictOf(own(), { base })
    expect(verdict).toMatchObject({ claim: 'better', wins: 6, p: 2 / 64, missing: [], interim: null })
    expect(verdict.failures).toMatchObject({ seeds: 8, learned: 6, by: { plain: { failed: 2, seeds: 8 } } })
    expect(verdict.sentence).toBe(
      'better by 2.07 points (95% CI 1.80 to 2.30; 6 of 6 seeds, p = 0.031); holds for seeds that do not diverge; plain failed on 2 of 8 seeds (up to 60%), p = 1; assumes symmetric differences',
    )
  })

  it('is one in every study, and where the last value is not a number, too', () => {
    const base = [...runsOf('plain', BASE.slice(0, 7)), run('plain', 8, Number.NaN)]
    expect(verdictOf(own(), { base, margin: undefined }).failures).toMatchObject({ learned: 7, seeds: 8 })
  })

  it('decides a comparison where no seed is left', () => {
    const base = [1, 2, 3, 4, 5, 6].map((seed) => lost('plain', seed))
    expect(said(own().slice(0, 6), { base })).toBe(
      'fails less often (p = 0.031); plain failed on 6 of 6 seeds (up to 100%)',
    )
  })

  it('is missing where it failed for another reason', () => {
    const other = [...runsOf('plain', BASE.slice(0, 7)), lost('plain', 8, { error: 'out of memory' })]
    expect(verdictOf(own(), { base: other })).toMatchObject({ missing: [8], wins: 7, interim: { done: 7, planned: 8 } })
  })
})

describe('a run has learned', () => {
  const late = [0.12, 0.85, 0.86, 0.84, 0.85, 0.85, 0.86, 0.85]
  const judged = (values: readonly number[], more: Partial<VerdictsInput> = {}) => {
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', [...values])]
    const input = { metric: 'test/accuracy', runs, variants: ['plain', 'gated'], baseline: 'plain' }
    return verdicts({ ...input, floors: { chance: 0.1 }, ...more })[0] as ReturnType<typeof verdicts>[0]
  }

  it('from halfway between chance and the upper quartile of all runs, or the highest floor', () => {
    expect(judged(late).failures.threshold).toBeCloseTo(0.1 + (0.85 - 0.1) / 2, 12)
    expect(judged(late).failures).toMatchObject({ learned: 7, by: { gated: { failed: 1 }, plain: { failed: 0 } } })
    expect(judged(late, { floors: { chance: 0.1, highest: 0.7 } }).failures.threshold).toBe(0.7)
    expect(judged(late, { floors: { chance: 0.1, highest: 0.9 } }).failures.threshold).toBeLessThan(0.5)
    expect(judged(late, { floors: undefined }).failures).toMatchObject({ threshold: null, learned: 8 })
  })

  it('or from the value that the study fixed', () => {
    const variants = ['plain', 'gated'].map((variant) => ({ variant, settings: {}, intended: [] }))
    const design = { metric: 'test/accuracy', variants, learned: 0.845 }
    expect(judged(late, { design }).failures).toMatchObject({ threshold: 0.845, by: { gated: { failed: 2 } } })
  })

  it('whichever of the two runs of a seed is whose', () => {
    const swapped = BASE.map((value, i) => (i % 2 === 0 ? [value, late[i]] : [late[i], value]) as [number, number])
    const runs = swapped.flatMap(([a, b], i) => [run('plain', i + 1, a), run('gated', i + 1, b)])
    expect(judged(late, { runs }).failures).toMatchObject({ threshold: judged(late).failures.threshold, learned: 7 })
  })

  it('and where no seed did in both, all values are compared, and the sentence says so', () => {
    const verdict = judged(BASE.map((value) => value - 0.5))
    expect(verdict).toMatchObject({ claim: 'worse', failures: { about: 'all', learned: 0, p: null } })
    expect(verdict.sentence).toContain('no seed reached the threshold in all compared runs, so all values are compared')
  })

  it('more often with one variant, which is tested beside the mean', () => {
    const often = [...late.slice(0, 1), 0.11, 0.12, 0.1, 0.13, 0.12, ...late.slice(6)]
    expect(judged(often)).toMatchObject({
      claim: 'fails more',
      failures: { claim: 'more', p: 2 / 64, adjusted: 2 / 64 },
    })
  })
})

it('is bounded exactly: of no failures in 8 seeds up to 31% may fail', () => {
  expect(failureBound(0, 8)).toBeCloseTo(1 - 0.05 ** (1 / 8), 9)
  expect(failureBound(2, 8)).toBeCloseTo(0.5997, 4) // scipy.stats.beta.ppf(0.95, 3, 6)
  expect([failureBound(8, 8), failureBound(0, 0)]).toEqual([1, 1])
})

it('knows chance by the meaning of a metric and the classes', () => {
  expect(chanceOf(ACCURACY, 10)).toBe(0.1)
  expect(chanceOf({ words: 'top-5 accuracy' }, 10)).toBe(0.5)
  expect(chanceOf(LOSS, 10)).toBeCloseTo(Math.log(10), 12)
  expect(chanceOf({ words: 'R2' }, undefined)).toBe(0)
  expect([chanceOf(ACCURACY, undefined), chanceOf({ words: 'own' }, 10)]).toEqual([null, null])
})

describe('verdict and interval', () => {
  it('never contradict each other, in random studies of several variants, with and without a margin', () => {
    for (let study = 0; study < 300; study++) {
      const key = keyOf(study, 'consistent')
      const [seeds, count] = [5 + (study % 6), 1 + (study % 3)]
      const margin = study % 2 === 0 ? 0.01 : undefined
      const grid = study % 5 === 0 ? 1000 : 1e9 // values of a small test set have ties
      const value = (variant: number, seed: number, shift = 0) =>
        Math.round((0.8 + shift + 0.01 * normal(key, 100 * variant + seed)) * grid) / grid
      const names = Array.from({ length: count }, (_, i) => `v${i}`)
      const runs = ['base', ...names].flatMap((name, variant) =>
        Array.from({ length: seeds }, (_, seed) =>
          uniform(key, 5000 + 100 * variant + seed) < 0.05
            ? lost(name, seed)
            : run(name, seed, value(variant, seed, variant > 0 ? (study % 4) * 0.005 : 0)),
        ),
      )
      const variants = ['base', ...names].map((variant) => ({ variant, settings: {}, intended: [] }))
      const design = { metric: 'test/accuracy', variants, margin }
      const input = { metric: 'test/accuracy', runs, variants: names, baseline: 'base', design }
      for (const { claim, interval, within } of verdicts(input)) {
        if (!interval) continue
        const { low, high } = interval
        if (claim === 'better' || claim === 'mixed') expect(low > 0 || high < 0, `${study}`).toBe(true)
        if (claim === 'worse') expect(high, `${study}`).toBeLessThan(0)
        if (claim === 'open') expect(low <= 0 && high >= 0, `${study}`).toBe(true)
        if (!within?.interval || margin === undefined) continue
        const inside = within.interval.low > -margin + 1e-12 && within.interval.high < margin - 1e-12
        if (claim === 'equal') expect(inside, `${study}`).toBe(true)
        if (claim === 'open') expect(inside, `${study}`).toBe(false)
      }
    }
  })
})
