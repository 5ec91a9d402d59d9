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
      'gated is more accurate than plain by 2.07 points (95% CI 1.80 to 2.30; 6 of 6 seeds, p = 0.031); holds for seeds that do not diverge; plain failed on 2 of 8 seeds (up to 60%), p = 1; assumes symmetric differences',
    )
  })

  it('is one in every study, and where the last value is not a number, too', () => {
    const base = [...runsOf('plain', BASE.slice(0, 7)), run('plain', 8, Number.NaN)]
    expect(verdictOf(own(), { base, margin: undefined }).failures).toMatchObject({ learned: 7, seeds: 8 })
  })

  it('decides a comparison where no seed is left', () => {
    const base = [1, 2, 3, 4, 5, 6].map((seed) => lost('plain', seed))
    expect(said(own().slice(0, 6), { base })).toBe(
      'gated fails less often than plain (p = 0.031); plain failed on 6 of 6 seeds (up to 100%)',
    )
  })

  it('is missing where it failed for another reason', () => {
    const other = [...runsOf('plain', BASE.slice(0, 7)), lost('plain', 8, { error: 'out of memory' })]
    expect(verdictOf(own(), { base: other })).toMatchObject({ missing: [8], wins: 7, interim: { done: 7, planned: 8 } })
  })
})

const LOSSES = { metric: 'test/loss' }

describe('a run has learned', () => {
  const late = [0.12, 0.85, 0.86, 0.84, 0.85, 0.85, 0.86, 0.85]
  const judged = (values: readonly number[], more: Partial<VerdictsInput> = {}) => {
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', [...values])]
    const input = { metric: 'test/accuracy', runs, variants: ['plain', 'gated'], baseline: 'plain' }
    return verdicts({ ...input, floors: { chance: 0.1 }, ...more })[0] as ReturnType<typeof verdicts>[0]
  }

  it('from half of the way from chance to what the lower of a pair reaches, and a tenth of that to all good runs', () => {
    const lower = BASE.map((value, i) => Math.min(value, late[i] as number)).sort((a, b) => b - a)
    expect(judged(late).failures.threshold).toBeCloseTo(0.1 + ((lower[1] as number) - 0.1) / 2, 12)
    expect(judged(late).failures).toMatchObject({ learned: 7, by: { gated: { failed: 1 }, plain: { failed: 0 } } })
    const steady = judged(BASE.map((value) => value - 0.45))
    expect(steady).toMatchObject({ claim: 'worse', failures: { learned: 8, by: { gated: { failed: 0 } } } })
    const none = judged(BASE.map((value) => value - 0.69))
    const good = BASE.toSorted((a, b) => b - a)[3] as number // the upper quartile of all 16
    expect(none.failures.threshold).toBeCloseTo(0.1 + (good - 0.1) / 10, 12)
    expect(judged(late, { floors: undefined }).failures).toMatchObject({ threshold: null, learned: 8 })
  })

  it('by the same rule for a metric of which less is better', () => {
    const loss = (values: readonly number[]) => values.map((value) => 1 - value)
    const runs = [...runsOf('plain', loss(BASE), LOSSES), ...runsOf('gated', loss(late), LOSSES)]
    const found = judged(late, { metric: 'test/loss', runs, floors: { chance: 0.9 } }).failures
    expect(found.threshold).toBeCloseTo(1 - (judged(late).failures.threshold ?? 0), 12)
    expect(found).toMatchObject({ learned: 7, by: { gated: { failed: 1 } } })
  })

  it('with all values that scatter around chance', () => {
    const around = BASE.map((value) => value - 0.7)
    const runs = [...runsOf('plain', around), ...runsOf('gated', around.toReversed())]
    expect(judged([], { runs }).failures).toMatchObject({ threshold: null, learned: 8 })
  })

  it('or from the value that the study fixed', () => {
    const variants = ['plain', 'gated'].map((variant) => ({ variant, settings: {}, intended: [] }))
    const design = { metric: 'test/accuracy', variants, learned: 0.845 }
    expect(judged(late, { design }).failures).toMatchObject({ threshold: 0.845, by: { gated: { failed: 2 } } })
  })

  it('whichever of the two runs of a seed is whose: swapping them swaps who failed, and nothing else', () => {
    for (let study = 0; study < 20; study++) {
      const key = keyOf(study, 'swapped')
      const value = (place: number) => (uniform(key, place) < 0.3 ? 0.1 : 0.8) + 0.05 * normal(key, 100 + place)
      const pairs = Array.from({ length: 6 }, (_, i) => [value(2 * i) - 0.3 * (study % 2), value(2 * i + 1)] as const)
      const failuresOf = (swaps: number) => {
        const runs = pairs.flatMap((pair, i) => {
          const [own, other] = (swaps >> i) & 1 ? [1, 0] : [0, 1]
          return [run('plain', i + 1, pair[other] as number), run('gated', i + 1, pair[own] as number)]
        })
        const third = runsOf('third', [0.9, 0.9, 0.9, 0.9, 0.9, 0.9])
        return judged([], { runs: [...runs, ...third] }).failures
      }
      const first = failuresOf(0)
      for (let swaps = 1; swaps < 64; swaps++) {
        const { threshold, learned, by } = failuresOf(swaps)
        const failed = (by.plain?.failed ?? 0) + (by.gated?.failed ?? 0)
        expect({ threshold, learned, failed }).toEqual({
          ...{ threshold: first.threshold, learned: first.learned },
          failed: (first.by.plain?.failed ?? 0) + (first.by.gated?.failed ?? 0),
        })
      }
    }
  })

  it('and where one never did, all values are compared, and the sentence says so', () => {
    const verdict = judged(BASE.map((value) => value - 0.69))
    expect(verdict).toMatchObject({ claim: 'worse', failures: { about: 'all', learned: 0, p: null } })
    expect(verdict.sentence).toContain('gated learned with none of 8 seeds, so all values are compared')
  })

  it('and never are values of both kinds compared with each other', () => {
    const half = (place: number) => BASE.map((value, i) => (i % 2 === place ? value : 0.11))
    const verdict = judged([], { runs: [...runsOf('plain', half(0)), ...runsOf('gated', half(1))] })
    expect(verdict).toMatchObject({ difference: null, interval: null, failures: { about: 'learned', learned: 0 } })
    expect(verdict.sentence).toMatch(/^nothing to compare: no seed learned in both; .*plain failed on 4 of 8 seeds/)
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
