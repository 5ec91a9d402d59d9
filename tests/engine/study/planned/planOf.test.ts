import { describe, expect, it } from 'vitest'
import { integer, keyOf } from '../../../../engine/random.ts'
import type { StoredDesign, StudyDesign, VariantDesign } from '../../../../engine/records/design.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { withPlan } from '../../../../engine/study/planned/planOf.ts'
import { seedsText } from '../../../../engine/study/planned/seedsText.ts'
import { ask } from '../../../../engine/study/questions/index.ts'
import { corrected, flipped } from '../../../../engine/study/statistics/family.ts'
import { verdicts } from '../../../../engine/study/statistics/index.ts'
import { unplanned } from '../../../../engine/study/statistics/verdict.ts'
import { LONG } from '../../../long.ts'
import { run } from '../statistics/runs.ts'

const METRIC = 'test/accuracy'
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

interface Given {
  seeds?: number[]
  metric?: string
  /** By name, what its code does. */
  variants?: Record<string, string>
  more?: Partial<StudyDesign>
}

/** A design whose runs are told by code and seed; of another metric they have other keys, and are trained alike. */
function design({ seeds = upTo(12), metric = METRIC, variants = { plain: 'p', gated: 'g' }, more }: Given = {}) {
  const runs = seeds.flatMap((seed) =>
    Object.entries(variants).map(([variant, code]) => {
      const trained = `${code} ${seed}`
      return { variant, seed, key: metric === METRIC ? trained : `${trained} by ${metric}`, trained }
    }),
  )
  const names = Object.keys(variants).map((variant) => ({ variant, settings: {}, intended: [] }))
  return { study: 's', metric, variants: names, runs, ...more } satisfies StudyDesign
}

const begunAt = (at: number | null, own: StudyDesign, when = 1): StoredDesign => ({ design: own, at, begunAt: when })
const first = [begunAt(1, design())]

/** What a study says of its plan, with runs of equal values but for small noise. */
function exploratory(own: StudyDesign, earlier = first, asked = false, baseline = own.variants[0]?.variant ?? '') {
  const beside = withPlan(own, earlier, asked, 7)
  const names = own.variants.map(({ variant }) => variant)
  const runs = own.runs.map(({ variant, seed }) => run(variant, seed, 0.5 + names.indexOf(variant) / 100 + seed / 1e4))
  const input = { metric: own.metric, design: beside, runs, variants: names, baseline }
  return verdicts(input)[0]?.exploratory ?? null
}

describe('a study beside its plan', () => {
  it('is its own plan before anything is trained, and departs in nothing from it later', () => {
    const own = withPlan(design(), [], false, 7)
    expect(own.planned).toEqual({ at: 7, metric: METRIC, variants: ['plain', 'gated'], seeds: upTo(12), departs: [] })
    expect(withPlan(design(), first, false, 7).planned).toMatchObject({ at: 1, departs: [] })
    expect(exploratory(design())).toBeNull()
  })

  it.each<[string, Given, string]>([
    ['dropped seeds', { seeds: [3, 4, 6, 7, 8, 9, 11] }, 'planned with seeds 1 to 12, shown with 3, 4, 6, 7, 8, 9, 11'],
    ['added seeds', { seeds: upTo(14) }, 'planned with seeds 1 to 12, shown with 1 to 14'],
    ['other seeds', { seeds: [12, 13, 14] }, 'planned with seeds 1 to 12, shown with 12 to 14'],
    ['another metric', { metric: 'test/loss' }, `the study was planned to compare by ${METRIC}`],
    [
      'a swapped baseline',
      { variants: { gated: 'g', plain: 'p' } },
      'the study was planned with plain as its baseline',
    ],
    ['an added variant', { variants: { plain: 'p', gated: 'g', wide: 'w' } }, 'planned without wide'],
    ['questions', { more: { questions: [ask.pairs()] } }, 'planned with other questions, or in another order'],
    ['another correction', { more: { correction: 'holm' } }, "planned without Holm's correction"],
    ['a margin', { more: { margin: 0.01 } }, 'planned without a margin'],
  ])('says so of %s', (what, given, text) => {
    if (what !== 'questions') expect(exploratory(design(given))).toBe(text)
    else expect(withPlan(design(given), first, true, 7).planned?.departs).toEqual([text])
  })

  it('says so of dropped and changed variants, and of several departures at once', () => {
    const three = [begunAt(1, design({ variants: { plain: 'p', gated: 'g', wide: 'w' } }))]
    expect(exploratory(design(), three)).toBe('planned with wide')
    expect(exploratory(design({ variants: { plain: 'p', gated: 'g', wide: 'w2' } }), three)).toBe(
      'planned with another wide',
    )
    expect(exploratory(design({ seeds: [1, 2], metric: 'test/loss' }), first)).toBe(
      `the study was planned to compare by ${METRIC}; planned with seeds 1 to 12, shown with 1, 2`,
    )
  })

  it('says so of what was planned and is left out, or otherwise now', () => {
    const margin = (by: number) => [begunAt(1, design({ more: { margin: by } }))]
    expect(exploratory(design(), margin(0.01))).toBe('planned with a margin')
    expect(exploratory(design({ more: { margin: 0.02 } }), margin(0.01))).toBe('a margin was planned otherwise')
  })

  it('counts the designs of these runs, where several were tried', () => {
    const tried = [[1, 2, 3], upTo(14), upTo(16)].map((seeds, i) => begunAt(2 + i, design({ seeds }), 2 + i))
    const all = [...first, ...tried]
    const text = 'planned with seeds 1 to 12, shown with 1 to 14'
    expect(exploratory(design({ seeds: upTo(14) }), all)).toBe(`${text}; the 3rd design of these runs`)
    expect(exploratory(design({ seeds: [1, 2, 3] }), all)).not.toContain('design of')
    expect(exploratory(design({ seeds: upTo(20) }), all)).toContain('; the 5th design of these runs')
    expect(exploratory(design(), all)).toBeNull()
  })

  it('says so of questions in another order', () => {
    const questions = [ask.effect('a'), ask.effect('b')]
    const planned = [begunAt(1, design({ more: { questions } }))]
    const other = withPlan(design({ more: { questions: questions.toReversed() } }), planned, true, 7)
    expect(other.planned?.departs).toEqual(['planned with other questions, or in another order'])
  })

  it('is found by its runs, whatever study and variants are called', () => {
    const renamed = { ...design({ variants: { a: 'p', b: 'g' } }), study: 'another' }
    expect(exploratory(renamed)).toBeNull()
    expect(exploratory({ ...design({ seeds: [1, 2, 3], variants: { a: 'p', b: 'g' } }), study: 'another' })).toBe(
      'planned with seeds 1 to 12, shown with 1 to 3',
    )
  })

  it('may be compared by the planned metric again, and with the planned baseline', () => {
    const beside = withPlan(design({ metric: 'test/loss' }), first, false, 7)
    const input = { design: beside, runs: [], variants: ['plain', 'gated'], baseline: 'plain' }
    expect(verdicts({ ...input, metric: METRIC })[0]?.exploratory).toBeNull()
    expect(exploratory(design({ variants: { gated: 'g', plain: 'p' } }), first, false, 'plain')).toBeNull()
  })

  it('is a new plan on new seeds alone, with new code, and where it shares one run of each seed', () => {
    for (const given of [
      { seeds: [13, 14, 15] },
      { variants: { plain: 'p2', gated: 'g2' } },
      { variants: { plain: 'p', gated: 'g2' } },
    ])
      expect(withPlan(design(given), first, false, 7).planned).toMatchObject({ at: 7, departs: [] })
  })

  it('has as its plan the design that trained first, not the one that was written first', () => {
    const written = { ...begunAt(1, design()), begunAt: null }
    const shorter = design({ seeds: upTo(6) })
    expect(exploratory(shorter, [written])).toBeNull()
    const [one, two] = [begunAt(2, shorter, 5), begunAt(1, design(), 6)]
    expect(exploratory(design(), [one, two])).toBe('planned with seeds 1 to 6, shown with 1 to 12')
  })

  it('keeps its verdicts where it was planned before plans were kept, as long as nothing departs', () => {
    const parts = [begunAt(null, design({ seeds: [1, 2] })), begunAt(null, design())]
    expect(exploratory(design(), parts)).toBeNull()
    expect(withPlan(design(), parts, false, 7).planned).toMatchObject({ at: null, departs: [] })
    expect(exploratory(design({ seeds: [3, 4, 5] }), parts)).toBe('planned with seeds 1 to 12, shown with 3 to 5')
  })

  it('asks by default what its plan asked, and says so where the cell asks more', () => {
    const questions = [ask.effect('block')]
    const variants = ['plain', 'gated'].map((variant): VariantDesign => {
      return { variant, settings: { block: variant }, intended: [], crossed: true }
    })
    const old = [begunAt(null, design())]
    const now = design({ more: { questions, variants } })
    expect(withPlan(now, old, false, 7)).not.toHaveProperty('questions')
    expect(withPlan(now, old, false, 7).planned).toMatchObject({ at: null, departs: [] })
    expect(withPlan(now, old, true, 7)).toMatchObject({
      questions,
      planned: { departs: ['planned with other questions, or in another order'] },
    })
    const asked = [begunAt(1, now)]
    const changed = design({ more: { questions: [ask.pairs()], variants } })
    expect(withPlan(changed, asked, false, 7)).toMatchObject({ questions, planned: { questions, departs: [] } })
  })

  it.each<AskedQuestion>([
    { ask: 'nothing' },
    { ask: 'constructor' },
    { ask: 'effect', factor: 'size' },
    { ask: 'trend' },
  ])('asks what it says itself where it cannot be asked what its plan says: %j', (question) => {
    const own = design({ more: { questions: [ask.pairs()] } })
    const forged = [begunAt(1, design({ more: { questions: [question] } }))]
    expect(withPlan(own, forged, false, 7)).toMatchObject({
      questions: [ask.pairs()],
      planned: { departs: ['planned with other questions, or in another order'] },
    })
  })
})

describe('choosing after looking', () => {
  const studies = LONG ? 2000 : 100
  const key = keyOf(0, 'choosing')
  let counter = 0
  const uniform = () => (integer(key, counter++, 2 ** 32) + 0.5) / 2 ** 32
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  const study = (seeds: number[], metric: string, differences: readonly number[]) => {
    const beside = withPlan(design({ seeds, metric }), [begunAt(1, design({ seeds: upTo(10) }))], false, 7)
    const given = { design: beside, metric, runs: [], variants: ['plain', 'gated'], baseline: 'plain' }
    const [test] = corrected([flipped(seeds.map((seed) => differences[seed - 1] ?? 0))])
    return { claims: test?.shown === true, exploratory: unplanned(given, {}) }
  }
  const share = (found: { claims: boolean }[]) => found.filter(({ claims }) => claims).length / found.length

  it('claims falsely more often where the worst seeds are dropped, and is exploratory each time', () => {
    const found = upTo(studies).map(() => {
      const differences = upTo(10).map(normal)
      const worst = upTo(10).sort((a, b) => (differences[a - 1] ?? 0) - (differences[b - 1] ?? 0))
      return study(
        worst.slice(2).sort((a, b) => a - b),
        METRIC,
        differences,
      )
    })
    expect(found.every((each) => each.exploratory?.startsWith('planned with seeds 1 to 10, shown with'))).toBe(true)
    if (LONG) console.log(`the worst 2 of 10 seeds dropped: ${share(found)}`)
    expect(share(found)).toBeGreaterThan(0.1)
  })

  it.each([0, 0.6, 0.9])(
    'claims falsely more often by the best of five metrics, correlated by %f, and is exploratory for all but the planned one',
    (correlation) => {
      const metrics = [METRIC, 'test/loss', 'test/f1', 'test/top5', 'test/recall']
      const found = upTo(studies).map(() => {
        const shared = upTo(10).map(normal)
        const own = () => shared.map((each) => Math.sqrt(correlation) * each + Math.sqrt(1 - correlation) * normal())
        const all = metrics.map((metric) => ({ metric, ...study(upTo(10), metric, own()) }))
        return all.find(({ claims }) => claims) ?? { metric: METRIC, claims: false, exploratory: null }
      })
      expect(found.every(({ metric, exploratory }) => (exploratory === null) === (metric === METRIC))).toBe(true)
      if (LONG) console.log(`best of five metrics, correlated by ${correlation}: ${share(found)}`)
      expect(share(found)).toBeGreaterThan(correlation > 0.8 ? 0.05 : 0.1)
      const planned = found.filter(({ claims, exploratory }) => claims && exploratory === null)
      expect(planned.length / found.length).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / found.length))
    },
  )
})

it('names seeds in words', () => {
  expect(
    [[3], [1, 2], [2, 3, 4], [1, 3, 4], upTo(30).map((seed) => 2 * seed)].map((seeds) => seedsText(seeds)),
  ).toEqual([
    'seed 3',
    'seeds 1, 2',
    'seeds 2 to 4',
    'seeds 1, 3, 4',
    'seeds 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24 and 18 more',
  ])
})
