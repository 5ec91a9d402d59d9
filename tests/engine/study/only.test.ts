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
      part: null,
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

  it('leaves those asked for of several studies, in a list or by name', () => {
    const both = only([before, study], { studies: ['s'], variants: ['own'] })
    expect(both.map(({ name, spec }) => [name, Object.keys(spec.variants)])).toEqual([['s', ['own']]])
    expect(only({ first: before, second: study }, { studies: ['before'] })).toEqual({ first: before })
    expect(only([before, study], { seeds: 1 }).map(({ spec }) => spec.seeds)).toEqual([1, 1])
  })

  it.each([
    [[before, study], { studies: ['befor'] }, "only.studies: unknown study 'befor' (did you mean 'before'?)"],
    [study, { studies: ['before'] }, "only.studies: unknown study 'before' (known: s)"],
    [[before, study], { variants: ['gmpl'] }, "only(before).variants: unknown variant 'gmpl'"],
    [[], {}, 'only: expected a study, made by compare(), or a list of studies'],
    [study, { variants: ['gmpl'] }, "only(s).variants: unknown variant 'gmpl' (did you mean 'gmlp'?)"],
    [study, { variants: [] }, 'only(s).variants: '],
    [study, { seeds: 0 }, 'only(s).seeds: 0, expected'],
    [study, { seed: 1 }, "only(s): unknown option 'seed' (did you mean 'seeds'?)"],
    [study, { quick: 1 }, 'only(s).quick: 1, expected'],
    [gmlp, {}, 'only: expected a study, made by compare(), or a list of studies, as first argument'],
  ])('refuses what it cannot do: %#', (given, options, message) => {
    expect(() => only(given as typeof study, options as OnlyOptions)).toThrow(message)
  })
})
