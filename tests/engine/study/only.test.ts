import { describe, expect, it } from 'vitest'
import { add, block, compare, gmlp, image, mixer, only } from '../../../engine/index.ts'
import { noteProvenance, provenanceOf } from '../../../engine/notebook/provenance.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { resolveStudy } from '../../../engine/study/design/resolve.ts'
import type { OnlyOptions } from '../../../engine/study/only.ts'

const own = block('own', (x) => add(x, x))
const common = { task: image({ data: 'shapes' }), train: { steps: 400 }, seeds: 6 }
const before = compare('before', { ...common, variants: { gmlp, mixer: mixer(), own } })
const study = compare('s', { ...common, variants: { gmlp, mixer: mixer(), own }, from: before })

describe('only', () => {
  it('leaves the variants and seeds asked for, in the study and in those that it starts from', () => {
    const part = only(study, { variants: ['own', 'gmlp'], seeds: [9] })
    const resolved = resolveStudy(part)
    const whole = resolveStudy(study).variants.filter(({ name }) => name !== 'mixer')
    expect(resolved).toEqual({
      name: study.name,
      variants: whole.map((variant) => ({ ...variant, from: part.spec.from })),
      seeds: [9],
    })
    const from = part.spec.from as Study
    expect(resolveStudy(from)).toMatchObject({ name: 'before', seeds: [9] })
    expect(Object.keys(from.spec.variants)).toEqual(['gmlp', 'own'])
  })

  it('changes nothing that it is not told to', () => {
    expect(resolveStudy(only(before, {}))).toEqual(resolveStudy(before))
  })

  it('is as the quick mode runs it', () => {
    expect(resolveStudy(only(before, { quick: true }))).toEqual(resolveStudy(before, { quick: true }))
  })

  it('has its code where the study has it', () => {
    const provenance = { cell: 'a', name: 'noted', fingerprint: 'f', code: '' }
    const noted = compare('noted', { ...common, variants: { own } })
    noteProvenance(noted, provenance)
    const part = only(noted, { seeds: 1 })
    noteProvenance(part, { ...provenance, cell: 'b' })
    expect(provenanceOf(part)).toEqual(provenance)
  })

  it.each([
    [study, { variants: ['gmpl'] }, "only(s).variants: unknown variant 'gmpl' (did you mean 'gmlp'?)"],
    [study, { variants: [] }, 'only(s).variants: '],
    [study, { seeds: 0 }, 'only(s).seeds: 0, expected'],
    [study, { seed: 1 }, "only(s): unknown option 'seed' (did you mean 'seeds'?)"],
    [study, { quick: 1 }, 'only(s).quick: 1, expected'],
    [gmlp, {}, 'only: expected a study, made by compare(), as first argument'],
  ])('refuses what it cannot do: %#', (given, options, message) => {
    expect(() => only(given as typeof study, options as OnlyOptions)).toThrow(message)
  })
})
