import { describe, expect, it } from 'vitest'
import { type ClaimSpec, claim, isClaim, planOfPart, verdictOf } from '../../../engine/claims/index.ts'
import { shapes } from '../../../engine/data/index.ts'
import { gmlp, mixer, resmlp } from '../../../engine/models/index.ts'
import { compare, type StudySpec } from '../../../engine/study/compare.ts'
import { factors } from '../../../engine/study/design/factors.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { ask } from '../../../engine/study/questions/index.ts'
import { image } from '../../../engine/tasks/index.ts'
import { memoryFiles } from '../data/memory-files.ts'

const plan: StudySpec = {
  task: image({ data: shapes({ train: 40, test: 20, size: 16 }) }),
  model: { patch: 8, dim: 8, depth: 1 },
  variants: { gmlp, mixer, resmlp },
  margin: 0.02,
  seeds: 8,
}
const study = compare('gates', plan)
const part = { study, of: 'mixer', expected: 'worse', figures: '76.4 %', spread: 0.01 } as const
const spec: ClaimSpec = { paper: 'gmlp', where: 'table 2', pilot: [101, 102], minutes: 6, parts: [part] }

describe('claim', () => {
  it('is what is given', () => {
    expect(claim(spec)).toEqual({ kind: 'claim', ...spec })
    expect(isClaim(claim(spec))).toBe(true)
    expect(isClaim(study)).toBe(false)
  })

  const { margin: _, ...loose } = plan
  const { seeds: __, ...seedless } = plan
  const refused: [string, unknown, string][] = [
    [
      'a paper that is not in the list',
      { ...spec, paper: 'gmpl' },
      "claim.paper: unknown value 'gmpl' (did you mean 'gmlp'?)",
    ],
    [
      'an option that it does not have',
      { ...spec, parst: [] },
      "claim: unknown option 'parst' (did you mean 'parts'?)",
    ],
    ['no parts', { ...spec, parts: [] }, 'claim.parts: [], expected at least 1'],
    [
      'a part that is no study',
      { ...spec, parts: [{ ...part, study: 1 }] },
      'claim.parts.0.study: 1, expected a study',
    ],
    ['no margin', { ...spec, parts: [{ ...part, study: compare('loose', loose) }] }, "'loose' has no margin"],
    [
      'no seeds',
      { ...spec, parts: [{ ...part, study: compare('seedless', seedless) }] },
      "'seedless' does not say its seeds",
    ],
    [
      'seeds of its pilot',
      { ...spec, pilot: [8] },
      "claim.parts.0.study: 'gates' has seed 8, which the plan was made with",
    ],
  ]
  it.each(refused)('refuses %s', (_, given, message) => {
    expect(() => claim(given as ClaimSpec)).toThrow(message)
  })
})

describe('planOfPart', () => {
  const designOf = async (given: StudySpec) => (await openStudy(compare('gates', given), {}, memoryFiles({}))).design

  it('has the power that the comparisons of the study leave', async () => {
    const planned = planOfPart({ of: 'mixer', spread: 0.01 }, await designOf(plan))
    expect(planned).toMatchObject({ seeds: 8, margin: 0.02, spread: 0.01 })
    expect(planned.power).toBeGreaterThan(0.95)
    expect(planned.equalPower).toBeGreaterThan(0.95)
    const alone = planOfPart({ of: 'mixer', spread: 0.02 }, await designOf({ ...plan, variants: { gmlp, mixer } }))
    const many = planOfPart({ of: 'mixer', spread: 0.02 }, await designOf(plan))
    expect(many.power).toBeLessThan(alone.power)
    expect(planOfPart({ of: 'mixer', spread: 0.01 }, await designOf({ ...plan, seeds: 4 })).power).toBe(0)
  })

  it('finds what a question asks, and lists what is asked instead of something else', async () => {
    const variants = factors({ block: { gmlp, mixer }, depth: [1, 2] }, ({ block, depth }) => ({
      block,
      model: { depth },
    }))
    const design = await designOf({ ...plan, variants, questions: [ask.simple('block', { at: 'depth' })] })
    expect(planOfPart({ of: 'block mixer instead of gmlp at depth 2', spread: 0.01 }, design).power).toBeGreaterThan(
      0.9,
    )
    expect(() => planOfPart({ of: 'block mixer at depth 2', spread: 0.01 }, design)).toThrow(
      "claim.parts.of: 'block mixer at depth 2' is not asked by 'gates' (known: block mixer instead of gmlp at depth 1, block mixer instead of gmlp at depth 2)",
    )
  })

  it('knows no variant that is the baseline', async () => {
    const design = await designOf(plan)
    expect(() => planOfPart({ of: 'gmlp', spread: 1 }, design)).toThrow(
      "'gmlp' is not asked by 'gates' (known: mixer, resmlp)",
    )
  })
})

describe('verdictOf', () => {
  const decided = { claim: 'worse', difference: 0.3, exploratory: null, meaning: { better: 'lower' } } as const
  const both = {
    ...{ margin: 1, above: true, below: true, adjusted: 0.01 },
    interval: null,
    inside: 8,
    fewest: null,
    moreSeeds: 0,
  }

  it('is found where the sign is that of the paper, and found otherwise where it is not', () => {
    expect(verdictOf('worse', decided)).toBe('found')
    expect(verdictOf('better', decided)).toBe('found otherwise')
    expect(verdictOf('equal', decided)).toBe('found otherwise')
    expect(verdictOf('more', { ...decided, claim: 'different' })).toBe('found')
    expect(verdictOf('less', { ...decided, claim: 'different' })).toBe('found otherwise')
    expect(verdictOf('worse', { ...decided, claim: 'fails more' })).toBe('found')
    expect(verdictOf('worse', { ...decided, claim: 'counted' })).toBe('found')
    expect(verdictOf('less', { ...decided, claim: 'counted', meaning: {} })).toBe('found otherwise')
  })

  it('is equal where a difference of the paper is within the margin, and found where it has none', () => {
    expect(verdictOf('worse', { ...decided, claim: 'equal' })).toBe('equal within the margin')
    expect(verdictOf('equal', { ...decided, claim: 'equal' })).toBe('found')
    // a difference is shown, and it is shown to be smaller than what matters
    expect(verdictOf('worse', { ...decided, within: both })).toBe('equal within the margin')
    expect(verdictOf('equal', { ...decided, within: both })).toBe('found')
    expect(verdictOf('worse', { ...decided, within: { ...both, below: false } })).toBe('found')
  })

  it('is open where nothing is shown, or what is shown was not planned', () => {
    for (const claim of ['open', 'too few', 'not worse', 'not better', 'mixed', 'same'] as const) {
      expect(verdictOf('worse', { ...decided, claim })).toBe('open')
    }
    expect(verdictOf('worse', { ...decided, exploratory: 'chosen after looking' })).toBe('open')
  })
})
