import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { collectDeclarations } from '../../renderer/declarations.ts'
import { createLanguage } from '../../renderer/editor/language/service/index.ts'

const experiments = new URL('../../experiments/', import.meta.url)
const notebooks = readdirSync(experiments).filter((name) => name.endsWith('.ts'))

const declarations = await collectDeclarations()
const language = createLanguage(declarations)

it('are small enough to be loaded with the editor', () => {
  expect(JSON.stringify(declarations).length).toBeLessThan(3e6)
})

it.each(notebooks)('find nothing wrong in a notebook of ours: %s', (name) => {
  const cells = parseNotebook(readFileSync(new URL(name, experiments), 'utf8')).filter(({ kind }) => kind === 'code')
  const keys = cells.map(({ id }) => id)
  language.setCells(
    keys,
    cells.map(({ id, source }) => ({ key: id, source })),
  )
  expect(keys.flatMap((key) => language.problems(key))).toEqual([])
})

it.each([
  ["import * as tf from '@tensorflow/tfjs'\ntf.zeros([2]).|", ['reshape', 'dataSync']],
  ["import { block } from 'mixlab'\nblock('x', (x, { | }) => x)", ['dim', 'ffn']],
  ["import { shapes } from 'mixlab'\nshapes({ | })", ['train', 'difficulty']],
])('know what may follow: %s', (text, names) => {
  language.setCells(['a'], [{ key: 'a', source: text.replace('|', '') }])
  const found = language.complete('a', text.indexOf('|')).map(({ name }) => name)
  expect(found).toEqual(expect.arrayContaining(names))
})
