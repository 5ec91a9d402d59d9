import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../engine/random.ts'
import type { FactorValues, StudyDesign } from '../../../../engine/records/design.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { outlook } from '../../../../engine/study/planned/outlook.ts'
import { askedOf } from '../../../../engine/study/questions/asked.ts'
import { ask, QUESTIONS } from '../../../../engine/study/questions/index.ts'
import { inOrder } from '../../../../engine/study/questions/order.ts'
import { powerFor, prospects } from '../../../../engine/study/questions/prospects.ts'
import { bestOfSides } from '../../../../engine/study/questions/sides.ts'
import type { Contrast, SeedValues } from '../../../../engine/study/questions/types.ts'
import type { SeedNumber } from '../../../../engine/study/statistics/failures.ts'
import { corrected } from '../../../../engine/study/statistics/family.ts'
import { testOf } from '../../../../engine/study/statistics/judge.ts'
import { equalPower, looksForPower, looksPower, seedsForEqual } from '../../../../engine/study/statistics/power.ts'
import { lookFamily } from '../../../../engine/study/statistics/sequentialTest.ts'
import { LONG, sample } from '../../../long.ts'
import { ACCURACY } from '../../../meanings.ts'
import { crossed, type Levels } from '../questions/crossed.ts'

const STUDIES = LONG ? 2000 : 60
/** 3 points, and in a sample of the studies three standard errors of a share. */
const NEAR = LONG ? 0.03 : 0.03 + 3 * Math.sqrt(0.25 / STUDIES)

const ofSeeds = (numbers: readonly number[], margin?: number) => ({
  numbers: numbersOf(numbers),
  ...{ margin, sided: true, counted: false },
})
const numbersOf = (numbers: readonly number[]) =>
  numbers.map((number, i): SeedNumber => ({ seed: i + 1, number, size: Math.abs(number), failed: [], lost: 0 }))
const draws = (name: string, study: number, count: number) =>
  Array.from({ length: count }, (_, i) => normal(keyOf(study, name), i))
const share = (shown: (study: number) => boolean) =>
  Array.from({ length: STUDIES }, (_, study) => shown(study)).filter(Boolean).length / STUDIES

interface Case {
  question: AskedQuestion
  levels: Levels
  seeds: number
  /** In standard deviations of what is asked. */
  effect: number
  /** What differs, of a size that is chosen to be that effect. */
  way: (levels: FactorValues) => number
  /** What does so beside it, in standard deviations of a run. */
  beside?: (levels: FactorValues) => number
  shape?: (value: number) => number
  /** The part that is asked about. */
  part?: number
  metric?: string
}

const RATES = { block: ['gmlp', 'mixer'], lr: [1, 2, 3] }
const DEPTHS = { block: ['gmlp', 'mixer'], depth: [2, 4, 8] }
const isMixer = ({ block }: FactorValues) => (block === 'mixer' ? 1 : 0)
const doublings = ({ depth }: FactorValues) => Math.log2(Number(depth))

const CASES: [what: string, Case][] = [
  ['an effect', { question: ask.effect('block'), levels: RATES, seeds: 8, effect: 1.2, way: isMixer }],
  [
    'one of two interactions',
    {
      ...{ question: ask.interaction('block', 'lr'), levels: RATES, seeds: 8, effect: 1.3, part: 1 },
      way: (levels) => (levels.lr === 3 ? isMixer(levels) : 0),
    },
  ],
  ['a slope', { question: ask.slope('depth'), levels: DEPTHS, seeds: 10, effect: 0.9, way: doublings }],
  ['a trend', { question: ask.trend('depth'), levels: DEPTHS, seeds: 14, effect: 0.8, way: doublings }],
  [
    'an exponent',
    { question: ask.powerLaw('depth'), levels: DEPTHS, seeds: 8, effect: 1, way: doublings, shape: Math.exp },
  ],
  [
    'a difference of exponents',
    {
      ...{ question: ask.powerLaw('depth', { by: 'block' }), levels: DEPTHS, seeds: 8, effect: 1.2, shape: Math.exp },
      way: (levels) => isMixer(levels) * doublings(levels),
    },
  ],
  ...[6, 8, 12].map((seeds): [string, Case] => [
    `each at its best, with a rate that is best for both, ${seeds} seeds`,
    {
      ...{ question: ask.best('block', { over: 'lr' }), levels: RATES, seeds, effect: 9.6 / seeds, way: isMixer },
      beside: ({ lr }) => (lr === 2 ? 4 : 0),
    },
  ]),
]

/** The power of a plan, and the share of simulated studies with such an effect that show it. */
function powersOf({
  question,
  levels,
  seeds,
  effect,
  way,
  beside = () => 0,
  shape = (value) => value,
  part = 0,
}: Case) {
  const variants = crossed(levels)
  const contrasts = QUESTIONS[question.ask]?.contrasts(question, askedOf('study', variants)) ?? []
  const runs = variants.flatMap(({ variant }) =>
    Array.from({ length: seeds }, (_, i) => ({ variant, seed: i + 1, key: `${variant} ${i}` })),
  )
  const [plan] = prospects({ study: 'study', variants, runs, questions: [question] })
  const own = contrasts[part] as Contrast
  const chosen = variants.filter(({ settings }) => settings.lr === 2) // where the best rate is the same
  const of: Contrast['of'] = own.sides
    ? (value) => value(chosen[1]?.variant ?? '') - value(chosen[0]?.variant ?? '')
    : own.of
  const at = (size: number, shift: (variant: string) => number) =>
    of((name) => shape(size * way(variants.find(({ variant }) => variant === name)?.settings ?? {}) + shift(name))) ?? 0
  const slopes = variants.map(({ variant }) => at(0, (name) => (name === variant ? 1 : 0)) - at(0, () => 0))
  const sd = Math.sqrt(slopes.reduce((sum, each) => sum + each ** 2, 0))
  const size = (effect * sd) / (at(1, () => 0) - at(0, () => 0))
  const shown = share((study) => {
    const noise = draws(`promised ${question.ask}`, study, seeds * variants.length)
    const rows = Array.from({ length: seeds }, (_, seed): SeedValues => {
      const value = (name: string) => {
        const place = variants.findIndex(({ variant }) => variant === name)
        const settings = variants[place]?.settings ?? {}
        const chance = noise[seed * variants.length + place] ?? 0
        return shape(size * way(settings) + beside(settings) + chance)
      }
      return { seed, value }
    })
    const tests = contrasts.map(
      (each) =>
        each.test?.(rows, ACCURACY) ??
        (each.options && bestOfSides(each.options, rows, ACCURACY)) ??
        testOf(ofSeeds(rows.map(({ value }) => each.of(value) ?? 0))),
    )
    return inOrder([tests])[0]?.tests[part]?.shown === true
  })
  return { promised: plan ? powerFor(plan, effect, seeds).power : 0, shown }
}

describe('a plan promises a power within 3 points of what simulated studies show', () => {
  it.each(sample(CASES))('for %s', (what, given) => {
    const { promised, shown } = powersOf(given)
    if (LONG) console.log(`${what}: promised ${promised.toFixed(3)}, shown ${shown.toFixed(3)}`)
    expect(promised).toBeGreaterThan(0.4)
    expect(Math.abs(promised - shown)).toBeLessThan(NEAR)
  })

  it.each(
    sample([
      [6, 1.5, 1],
      [8, 1, 1],
      [12, 1, 3],
      [14, 1, 1],
      [13, 1.2, 2],
    ] as const),
  )('to be equal: %i seeds, a margin of %f, %i comparisons', (seeds, margin, comparisons) => {
    const promised = equalPower(margin, seeds, 0.05 / comparisons)
    const shown = share((study) => {
      const noise = draws('equal', study, seeds * comparisons)
      const tests = Array.from({ length: comparisons }, (_, i) => {
        const far = i === 0 ? 0 : 0.5 * margin // others, not shown as well
        return testOf(
          ofSeeds(
            noise.slice(i * seeds, (i + 1) * seeds).map((each) => each + far * 2),
            margin,
          ),
        )
      })
      const { above = false, below = false } = corrected(tests)[0]?.within ?? {}
      return above && below
    })
    if (LONG) console.log(`equal ${seeds} ${margin} ${comparisons}: promised ${promised}, shown ${shown}`)
    expect(Math.abs(promised - shown)).toBeLessThan(NEAR)
  })

  it.each(
    sample([
      [1.5, 16, 1],
      [1, 24, 1],
      [0.75, 24, 1],
      [1.5, 12, 3],
      [1, 24, 3],
      [2, 8, 1],
    ] as const),
  )('after looks: an effect of %f, up to seed %i, %i comparisons', (effect, upTo, comparisons) => {
    const plan = Array.from({ length: upTo }, (_, i) => i + 1)
    const promised = looksPower(effect, upTo, comparisons)
    const shown = share((study) => {
      const noise = draws('looks', study, upTo * comparisons)
      const parts = Array.from({ length: comparisons }, (_, i) =>
        numbersOf(noise.slice(i * upTo, (i + 1) * upTo).map((each) => each + (i === 0 ? effect : 0))),
      )
      return lookFamily(parts, plan)[0]?.shown === true
    })
    if (LONG) console.log(`looks ${effect} ${upTo} ${comparisons}: promised ${promised.toFixed(3)}, shown ${shown}`)
    expect(Math.abs(promised - shown)).toBeLessThan(NEAR)
  })
})

describe('a plan', () => {
  const variants = crossed({ block: ['gmlp', 'mixer'] })
  const design = (seeds: number, more: Partial<StudyDesign> = {}): StudyDesign => ({
    ...{ study: 's', metric: 'test/accuracy', variants, ...more },
    runs: variants.flatMap(({ variant }) =>
      Array.from({ length: seeds }, (_, i) => ({ variant, seed: i + 1, key: `${variant} ${i}` })),
    ),
  })

  it('with looks has the power of these, and the fewest seeds for 0.8', () => {
    const [asked] = prospects(design(16, { anytime: { upTo: 16 } }))
    expect(asked).toMatchObject({ looked: true, needed: 7, enough: true, problem: null })
    const { power, seeds } = powerFor(asked as NonNullable<typeof asked>, 1.5, 16)
    expect(power).toBeCloseTo(0.946, 3)
    expect(seeds).toBe(looksForPower(1.5))
    expect(looksPower(1.5, seeds ?? 0)).toBeGreaterThanOrEqual(0.8)
    expect(looksPower(1.5, (seeds ?? 0) - 1)).toBeLessThan(0.8)
    expect(looksForPower(0.05)).toBeNull()
  })

  it('tells the power to be equal within its margin where the spread is known', () => {
    const alike = { sd: 0.01, upper: 0.01, runs: 6, ms: 1000 }
    const found = outlook(design(12, { margin: 0.02 }), 0, alike).questions[0]
    expect(found?.equal).toBeCloseTo(equalPower(Math.SQRT2, 12, 0.05), 9)
    expect(outlook(design(12), 0, alike).questions[0]?.equal).toBeNull()
    expect(outlook(design(12, { margin: 0.02 }), 0, null).questions[0]?.equal).toBeNull()
    expect([equalPower(9, 4, 0.05), equalPower(9, 20, 0.05)]).toEqual([0, expect.closeTo(1, 6)])
    expect(equalPower(1, seedsForEqual(1, 0.05) ?? 0, 0.05)).toBeGreaterThanOrEqual(0.8)
  })
})
