import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { recreateNotebook } from '../../../../engine/study/recreate/recreate.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }

interface Cell {
  helper?: string
  update?: string
  name?: string
  defaults?: string
  used?: string
}

const UPDATE =
  '({ weight, gradient, learningRate }) => ({ weight: sub(weight, mul(gradient, mul(learningRate, factor))) })'

/** The run of a study whose optimizer is in a cell of its own. */
async function planned({ helper = 'const factor = 2', update = UPDATE, name = 'plain', ...cell }: Cell = {}) {
  const { defaults = '{ learningRate: 0.1, slow: 1 }', used = 'own()' } = cell
  const text = `// %% optimizer
import { mul, optimizer, sub } from 'mixlab'
${helper}
export const own = optimizer('${name}', ${defaults}, { update: ${update} })

// %% study
import { adamw, compare, groups, image, mixer, sgd, shapes } from 'mixlab'
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 4, batch: 8, optimizer: ${used} },
  variants: { mixer, other: { block: mixer, train: { optimizer: adamw() } } },
  seeds: 1,
})
`
  return opened((await evaluateAll(text, { mixlab }, { console })).get('study')?.value as Study)
}

async function opened(study: Study) {
  const { planned, design, origin } = await openStudy(study, {}, files)
  const [run, other] = planned as [(typeof planned)[number], (typeof planned)[number]]
  return { ...run, other, design, origin }
}

describe('an optimizer of a cell in keys', () => {
  it('decides by what it does, not by comments, names or how it is written', async () => {
    const { key, other } = await planned()
    for (const same of [
      { update: `${UPDATE} /* down */` },
      { name: 'another' },
      { helper: 'const factor = 1 + 1' },
      { used: 'own({ learningRate: 0.1 })' },
      { helper: 'const factor = 2\nconst unused = 1' },
    ]) {
      const again = await planned(same)
      expect(again.key, JSON.stringify(same)).toBe(key)
      expect(again.other.key).toBe(other.key)
    }
    for (const different of [
      { helper: 'const factor = 3' },
      { update: UPDATE.replace('sub(', 'mul(') },
      { used: 'own({ learningRate: 0.2 })' },
      { defaults: '{ learningRate: 0.1, slow: 2 }' },
    ]) {
      const another = await planned(different)
      expect(another.key, JSON.stringify(different)).not.toBe(key)
      expect(another.other.key).toBe(other.key)
    }
  })
  it('decides in groups as alone', async () => {
    const used = (first: string) => `groups([{ match: 'head', optimizer: ${first} }, { optimizer: adamw() }])`
    const { key, spec } = await planned({ used: used('own()') })
    expect((await planned({ used: used('own()'), name: 'another' })).key).toBe(key)
    expect((await planned({ used: used('own()'), helper: 'const factor = 3' })).key).not.toBe(key)
    expect((await planned({ used: used('adamw()') })).key).not.toBe(key)
    expect(JSON.stringify(spec)).not.toContain('defined')
    const builtIn = await planned({ used: used('sgd()') })
    expect(builtIn.spec.definitions).toBeUndefined()
    expect(builtIn.key).not.toBe((await planned({ used: used('adamw()') })).key)
  })
  it('is plain data in the spec, with its name and all options', async () => {
    const { spec, design } = await planned()
    expect(spec.train).toMatchObject({ optimizer: { optimizer: 'plain', options: { learningRate: 0.1, slow: 1 } } })
    expect(JSON.stringify(spec)).not.toContain('defined')
    expect(JSON.stringify(design)).not.toContain('defined')
    expect(spec.definitions).toEqual({ optimizer: { digest: expect.any(String), code: expect.any(String) } })
  })
  it('travels with its run', async () => {
    const { origin, other: _, design: __, ...run } = await planned()
    const stored = { id: 1, ...run, origin: origin && { ...origin, variant: 'mixer', notebook: null } }
    const text = recreateNotebook(stored as unknown as Parameters<typeof recreateNotebook>[0])
    const values = await evaluateAll(text, { mixlab }, { console })
    const again = [...values.values()].map(({ value }) => value as Study).find((value) => value?.spec)
    expect((await opened(again as Study)).key).toBe(run.key)
    expect(() =>
      recreateNotebook({ ...stored, origin: null } as unknown as Parameters<typeof recreateNotebook>[0]),
    ).toThrow('cannot be recreated: the store has not the cell of its optimizer')
  })
})
