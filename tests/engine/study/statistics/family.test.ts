import { describe, expect, it } from 'vitest'
import { type Key, keyOf, normal, uniform } from '../../../../engine/random.ts'
import { corrected, flipped, holm } from '../../../../engine/study/statistics/family.ts'
import { smallestP } from '../../../../engine/study/statistics/signFlip.ts'
import { verdicts } from '../../../../engine/study/statistics/verdict.ts'
import golden from '../../../golden/statistics.json' with { type: 'json' }
import { runsOf } from './runs.ts'

/** Tests the differences of each variant from the baseline. */
const testFamily = (variants: readonly (readonly number[])[], studies = 1) => corrected(variants.map(flipped), studies)

const STUDIES = 2000
/** 5%, and three standard errors of a share of 2,000 studies. */
const LIMIT = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / STUDIES)

type Noise = (key: Key, counter: number) => number
const exponential: Noise = (key, counter) => -Math.log(1 - uniform(key, counter)) - 1
const heavy: Noise = (key, counter) => normal(key, counter) / (0.05 + uniform(key, counter + 1e9))

/** The share of simulated studies in which any variant is shown to differ; the first is better by `shift`. */
function shareShown(variants: number, seeds: number, noise: Noise, shift = 0): number {
  let shown = 0
  for (let study = 0; study < STUDIES; study++) {
    const key = keyOf(study, 'study')
    const value = (variant: number, seed: number) => noise(key, variant * seeds + seed)
    const differences = Array.from({ length: variants - 1 }, (_, i) =>
      Array.from({ length: seeds }, (_, seed) => value(i + 1, seed) - value(0, seed) + (i === 0 ? shift : 0)),
    )
    if (testFamily(differences).some((test) => test.shown)) shown += 1
  }
  return shown / STUDIES
}

describe('a family of comparisons', () => {
  it.each([
    ['normal', 2, 8, normal],
    ['normal', 3, 8, normal],
    ['normal', 5, 10, normal],
    ['skewed', 3, 9, exponential],
    ['skewed', 5, 10, exponential],
    ['heavy-tailed', 3, 10, heavy],
  ] as const)(
    'shows something that is not there in at most 5%% of studies: %s noise, %i variants, %i seeds',
    (_, variants, seeds, noise) => {
      expect(shareShown(variants, seeds, noise)).toBeLessThanOrEqual(LIMIT)
    },
  )

  it('holds for the variant that looks best, chosen afterwards, and not where it is tested alone', () => {
    let [inFamily, alone] = [0, 0]
    for (let study = 0; study < STUDIES; study++) {
      const key = keyOf(study, 'chosen')
      const value = (variant: number, seed: number) => normal(key, variant * 10 + seed)
      const all = [1, 2, 3, 4].map((variant) =>
        Array.from({ length: 10 }, (_, seed) => value(variant, seed) - value(0, seed)),
      )
      const sums = all.map((differences) => Math.abs(differences.reduce((sum, each) => sum + each, 0)))
      const best = sums.indexOf(Math.max(...sums))
      if (testFamily(all)[best]?.shown) inFamily += 1
      if (testFamily([all[best] ?? []])[0]?.shown) alone += 1
    }
    expect(inFamily / STUDIES).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / STUDIES))
    expect(alone / STUDIES).toBeGreaterThan(0.1)
    expect(alone / STUDIES).toBeLessThan(0.15)
  })

  it('claims too much where the baseline is chosen afterwards, which verdicts therefore call exploratory', () => {
    const studies = Array.from({ length: STUDIES }, (_, study) => {
      const key = keyOf(study, 'baseline')
      const runs = [0, 1, 2, 3].map((variant) =>
        Array.from({ length: 10 }, (_, seed) => normal(key, variant * 10 + seed)),
      )
      const sums = runs.map((values) => values.reduce((sum, each) => sum + each, 0))
      const worst = runs[sums.indexOf(Math.min(...sums))] ?? []
      const others = runs.filter((values) => values !== worst)
      return testFamily(others.map((values) => values.map((value, seed) => value - (worst[seed] ?? 0))))
    })
    const share = studies.filter((tests) => tests.some(({ shown }) => shown)).length / STUDIES
    expect(share).toBeGreaterThan(LIMIT)
  })

  it('is not idle: with one comparison it comes as near to 5% as 8 seeds can', () => {
    const share = 12 / 256
    const error = Math.sqrt((share * (1 - share)) / STUDIES)
    expect(Math.abs(shareShown(2, 8, normal) - share)).toBeLessThan(3 * error)
  })

  it('finds what is there', () => {
    expect(shareShown(3, 10, normal, 2)).toBeGreaterThan(0.9)
    expect(shareShown(2, 10, normal, Math.SQRT2)).toBeGreaterThan(0.75) // one standard deviation of the differences
    expect(shareShown(3, 6, normal, 100)).toBe(0) // too few seeds for two comparisons
  })

  it('shows more than it should where shapes differ, as docs/statistics.md says', () => {
    const unlike: Noise = (key, counter) => (counter < 8 ? normal(key, counter) : 3 * exponential(key, counter))
    const share = shareShown(3, 8, unlike)
    expect(share).toBeGreaterThan(0.07)
    expect(share).toBeLessThan(0.11)
  })

  it('shows more than it should to who looks again and again, as docs/statistics.md says', () => {
    const studies = Array.from({ length: STUDIES }, (_, study) => {
      const differences = Array.from({ length: 14 }, (_, seed) => normal(keyOf(study, 'looks'), seed))
      return [6, 8, 10, 12, 14].some((seeds) => testFamily([differences.slice(0, seeds)])[0]?.shown)
    })
    const share = studies.filter(Boolean).length / STUDIES
    expect(share).toBeGreaterThan(0.09)
    expect(share).toBeLessThan(0.13)
  })

  it('claims falsely in 5% of lists of four studies that were planned together, in 17% of others', () => {
    let [together, alone] = [0, 0]
    for (let list = 0; list < STUDIES; list++) {
      const key = keyOf(list, 'together')
      const studies = [0, 1, 2, 3].map((study) => [
        Array.from({ length: 10 }, (_, seed) => normal(key, study * 10 + seed)),
      ])
      if (studies.some((study) => testFamily(study, 4)[0]?.shown)) together += 1
      if (studies.some((study) => testFamily(study)[0]?.shown)) alone += 1
    }
    expect(together / STUDIES).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / STUDIES))
    expect(alone / STUDIES).toBeGreaterThan(0.15)
    expect(alone / STUDIES).toBeLessThan(0.2)
  })

  it('gives each of several studies its share', () => {
    const six = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    expect(testFamily([six], 2)[0]).toEqual({
      ...{ p: 2 / 64, adjusted: 4 / 64, shown: false, tooFew: true, passed: false, level: 0.025 },
    })
  })

  it('says which variants have too few pairs, and what the next one has to reach', () => {
    const all = (n: number) => Array.from({ length: n }, (_, i) => 1 + i)
    const tests = testFamily([all(8), all(6), all(5), []])
    expect(tests.map(({ p }) => p)).toEqual([2 / 256, 2 / 64, 2 / 32, 1])
    expect(tests.map(({ shown }) => shown)).toEqual([true, false, false, false])
    expect(tests.map(({ tooFew }) => tooFew)).toEqual([false, true, true, true])
    expect(tests.map(({ level }) => level)).toEqual([0.05 / 4, ...Array(3).fill(0.05 / 3)])
  })

  it('tests failures beside the mean: what its seeds cannot decide takes no level, and two are corrected together', () => {
    const test = (p: number, seeds: number, lost: number, discordant: number) =>
      corrected([{ p, smallest: smallestP(seeds), failures: { p: lost, smallest: smallestP(discordant) } }])[0]
    expect(test(0.04, 8, 1, 2)).toMatchObject({ adjusted: 0.04, shown: true, failures: { shown: false } })
    expect(test(1, 2, 0.031, 6)).toMatchObject({
      shown: false,
      tooFew: true,
      failures: { adjusted: 0.031, shown: true },
    })
    expect(test(0.02, 8, 0.04, 8)).toMatchObject({ adjusted: 0.04, failures: { adjusted: 0.04, shown: true } })
    expect(test(0.03, 8, 0.3, 8)).toMatchObject({ adjusted: 0.06, shown: false, level: 0.025 })
    // six seeds decide one of the two alone: it is the mean
    expect(test(0.031, 6, 0.031, 6)).toMatchObject({ adjusted: 0.031, shown: true, failures: { shown: false } })
  })
})

it.each(golden.holm.cases)('adjusts $p as statsmodels does', ({ p, adjusted }) => {
  expect(holm(p).map((value) => Number(value.toFixed(10)))).toEqual(adjusted)
})

it('leaves one p as it is, and none', () => {
  expect(holm([0.03])).toEqual([0.03])
  expect(holm([])).toEqual([])
})

const BASE = [0.8, 0.81, 0.79, 0.82, 0.805, 0.815]
const runs = [
  ...runsOf('a', BASE),
  ...runsOf(
    'b',
    BASE.map((value, i) => value + 0.01 + 0.001 * i),
  ),
]
const variants = ['a', 'b'].map((variant) => ({ variant, settings: {}, intended: [] }))

/** The verdict of a study of two variants, planned with the studies of these names. */
function verdict(together?: string[]) {
  const design = { metric: 'test/accuracy', variants, together }
  return verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b'], baseline: 'a', design })[0]
}

it('a study that was planned with others has its share of the 5%, and says so', () => {
  expect(verdict()).toMatchObject({ claim: 'better', adjusted: 2 / 64 })
  expect(verdict()?.sentence).not.toContain('together')
  const found = verdict(['one', 'two'])
  expect(found).toMatchObject({ claim: 'too few', p: 2 / 64, adjusted: 4 / 64 })
  expect(found?.sentence).toMatch(/; corrected for 2 studies together$/)
})
