import { expect, it } from 'vitest'
import { createScope, evaluateAll } from '../../../engine/notebook/evaluate.ts'
import { analyze } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { noteProvenance, provenanceOf } from '../../../engine/notebook/provenance.ts'

const silent = { debug() {}, log() {}, info() {}, warn() {}, error() {} }

async function originsOf(text: string, modules = {}) {
  const all = await evaluateAll(text, modules, { console: silent })
  return (name: string) => provenanceOf(Object(all.get(name)?.value))
}

it('tells the cell, fingerprint and code of what a cell defined', async () => {
  const text =
    '// %% size\nconst dim = { n: 4 }\n\n// %% other\nconst x = 1\n\n// %% block\nexport const block = () => dim\n'
  const origin = (await originsOf(text))('block')
  expect(origin).toEqual({
    evaluation: {},
    cell: 'block',
    name: 'block',
    fingerprint: analyze(parseNotebook(text)).cells.at(2)?.fingerprint,
    code: '// %% size\nconst dim = { n: 4 }\n\n// %% block\nexport const block = () => dim\n',
  })
})

it('is that of the first cell for a value under a second name', async () => {
  const origin = await originsOf('// %% a\nconst f = () => 1\n// %% b\nconst g = f')
  expect(origin('g')?.cell).toBe('a')
})

it('is of no cell for what is imported, under whatever name', async () => {
  const dense = () => 1
  const text = "// %% a\nimport { dense } from 'mixlab'\nimport * as nn from 'mixlab'\nconst f = dense\nconst all = nn"
  const origin = await originsOf(text, { mixlab: { dense } })
  expect(provenanceOf(dense)).toBeUndefined()
  expect(origin('f')).toBeUndefined()
  expect(origin('all')).toBeUndefined()
})

it('is not noted for values without identity, nor for those of a cell that fails', async () => {
  noteProvenance(1, { cell: 'a', name: null, fingerprint: '', code: '' })
  noteProvenance(null, { cell: 'a', name: null, fingerprint: '', code: '' })
  const kept: object[] = []
  const text = "// %% a\nimport { keep } from 'test'\nconst f = () => 1\nkeep(f)\nthrow new Error('no')"
  const keep = (value: object) => kept.push(value)
  await expect(originsOf(text, { test: { keep } })).rejects.toThrow('no')
  expect(kept.map(provenanceOf)).toEqual([undefined])
})

it('is that of the value that ends a cell, too, which has no name', async () => {
  const scope = createScope({})
  const cells = parseNotebook('// %% a\nconst f = () => 1\n// %% b\n({ f })\n// %% c\nf')
  const evaluate = (id: string) => scope.evaluate(cells, analyze(cells), id, { console: silent })
  const { defined } = await evaluate('a')
  const [ended, again] = [await evaluate('b'), await evaluate('c')]
  expect(provenanceOf(Object(ended.value))).toMatchObject({ cell: 'b', name: null })
  expect(again.value).toBe(defined.f)
  expect(provenanceOf(Object(again.value))).toMatchObject({ cell: 'a', name: 'f' })
})
