import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { type KeyedSpec, keyOfRun } from '../../../../engine/study/key.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { recreateNotebook } from '../../../../engine/study/recreate/recreate.ts'
import { differencesOf } from '../../../../engine/study/statistics/comparable.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const studyIn = async (text: string) => (await evaluateAll(text, { mixlab }, { console })).get('study')?.value as Study

const CHANGE = '({ values }, random) => values.map((value) => value + factor * random.normal("noise"))'

interface Cell {
  change?: string
  helper?: string
  name?: string
  used?: string
}

/** The runs of a study whose augmentation is in a cell of its own, and of a variant without it. */
async function planned({ change = CHANGE, helper = 'const factor = 0.1', name = 'noise', used = '[own]' }: Cell = {}) {
  const study = await studyIn(`// %% noise
import { augmentation } from 'mixlab'
${helper}
export const own = augmentation('${name}', ${change})
export const half = augmentation('half', ({ values }) => values.map((value) => value / 2))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 4, batch: 8 },
  variants: { mixer: { block: mixer, train: { augment: { flip: 0.5, own: ${used} } } }, none: mixer },
  seeds: 1,
})
`)
  const { planned, design, origin } = await openStudy(study, {}, memoryFiles({}))
  const [run, none] = planned as [(typeof planned)[number], (typeof planned)[number]]
  return { ...run, none, design, origin }
}

describe('an augmentation of a cell in keys', () => {
  it('decides by what it does, not by comments or names, and for the runs that use it alone', async () => {
    const { key, none, spec } = await planned()
    for (const same of [
      { change: `${CHANGE} /* louder */` },
      { name: 'other' },
      { helper: 'const factor = 0.05 + 0.05' },
    ]) {
      expect((await planned(same)).key).toBe(key)
    }
    for (const other of [{ helper: 'const factor = 0.2' }, { change: CHANGE.replace('+ factor', '- factor') }]) {
      const again = await planned(other)
      expect(again.key).not.toBe(key)
      expect(again.none.key).toBe(none.key)
    }
    expect(keyOfRun(spec as unknown as KeyedSpec)).toBe(key)
  })
  it('decides by its place among others', async () => {
    const [one, two] = [await planned({ used: '[own, half]' }), await planned({ used: '[half, own]' })]
    expect(two.key).not.toBe(one.key)
    expect(Object.keys(one.spec.definitions as object)).toEqual(['augmentation.1', 'augmentation.2'])
  })
  it('leaves no trace where the list is empty', async () => {
    const [empty, without] = [await planned({ used: '[]' }), await planned({ used: 'undefined' })]
    expect(empty.key).toBe(without.key)
    expect(empty.spec.train).toEqual(without.spec.train)
  })
  it('is called by its name where runs are shown and compared', async () => {
    const { spec, none, design } = await planned()
    expect(spec.train).toMatchObject({ augment: { flip: 0.5, own: ['noise'] } })
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec)
    expect(design.variants.map(({ settings }) => settings.own)).toEqual(['noise', 'none'])
    const other = await planned({ helper: 'const factor = 0.2' })
    const [difference, ...more] = differencesOf(spec, other.spec)
    expect(difference).toMatch(/^definitions.augmentation.1 [0-9a-f]{12}… and [0-9a-f]{12}…$/)
    expect(more).toEqual([])
    expect(differencesOf(spec, none.spec, '', new Set(['train.augment']))).toEqual([])
  })
  it('travels with its run', async () => {
    const { origin, ...run } = await planned()
    const stored = { id: 1, ...run, origin: origin && { ...origin, variant: 'mixer', notebook: null } }
    const again = await studyIn(recreateNotebook(stored as Parameters<typeof recreateNotebook>[0]))
    const opened = await openStudy(again, {}, memoryFiles({}))
    expect(opened.planned[0]?.key).toBe(run.key)
    expect(() => recreateNotebook({ ...stored, origin: null } as Parameters<typeof recreateNotebook>[0])).toThrow(
      'cannot be recreated: the store has not the cell of its augmentation.1',
    )
  })
})

it.each([
  ['() => new Float32Array(5)', "augmentation 'noise': gave 5 values, expected 32 x 32 x 3"],
  ['({ values }) => values.map(() => Math.random())', "augmentation 'noise': gives something else the second time"],
  ['{ part: "tokens", change: ({ values }) => values }', "augmentation 'noise': changes 'tokens', but the training"],
  ['({ values }) => values.mapp()', 'noise:3: values.mapp is not a function'],
])('refuses %s before anything is trained', async (change, problem) => {
  await expect(planned({ change })).rejects.toThrow(problem)
})
