import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { collectDeclarations } from '../../renderer/declarations.ts'
import { createLanguage } from '../../renderer/editor/language/service/index.ts'
import { sample } from '../long.ts'

const experiments = new URL('../../experiments/', import.meta.url)
const notebooks = readdirSync(experiments).filter((name) => name.endsWith('.ts'))

const declarations = await collectDeclarations()
const language = createLanguage(declarations)

it('are small enough to be loaded with the editor', () => {
  expect(JSON.stringify(declarations).length).toBeLessThan(3e6)
})

it.each(sample(notebooks, 2, 6))('find nothing wrong in a notebook of ours: %s', (name) => {
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
  [
    "import { image, task } from 'mixlab'\ntask('t', { base: image({ data: 'shapes' }), | })",
    ['loss', 'metrics', 'teacher'],
  ],
  [
    "import { dataset } from 'mixlab'\ndataset('d', { train: 1, test: 1, make: (random) => ({ x: random.| }) })",
    ['uniform', 'integer'],
  ],
  [
    "import { optimizer } from 'mixlab'\noptimizer('o', { learningRate: 1 }, { | })",
    ['state', 'update', 'secondGradient'],
  ],
  ["import { augmentation } from 'mixlab'\naugmentation('a', ({ values }, random) => random.|)", ['chance', 'uniform']],
  [
    "import { augmentation } from 'mixlab'\naugmentation('a', { batch: ({ | }) => [] })",
    ['values', 'count', 'targets'],
  ],
  ["import { readout } from 'mixlab'\nreadout('r', { better: 'lower' }, ({ | }) => 1)", ['weights', 'model', 'data']],
  ["import { compare } from 'mixlab'\ncompare('s', { | })", ['readouts', 'metrics', 'task']],
  ["import { forecast, seasons } from 'mixlab'\nforecast({ data: seasons(), | })", ['window', 'horizon']],
])('know what may follow: %s', (text, names) => {
  language.setCells(['a'], [{ key: 'a', source: text.replace('|', '') }])
  const found = language.complete('a', text.indexOf('|')).map(({ name }) => name)
  expect(found).toEqual(expect.arrayContaining(names))
})

it.each([
  [
    'a loss',
    "import { image, task } from 'mixlab'\ntask('t', { base: image({ data: 'shapes' }), loss: () => 'small' })",
  ],
  ['a scheduler', "import { schedule } from 'mixlab'\nschedule('s', () => 'fast')"],
  [
    'an optimizer',
    "import { optimizer } from 'mixlab'\noptimizer('o', { learningRate: 1 }, { update: ({ weight }) => weight })",
  ],
  [
    'an example',
    "import { dataset } from 'mixlab'\ndataset('d', { train: 1, test: 1, make: (random) => random.uniform })",
  ],
  ['an augmentation', "import { augmentation } from 'mixlab'\naugmentation('a', () => 'grey')"],
  ['a read-out', "import { readout } from 'mixlab'\nreadout('r', { better: 'lower' }, ({ weights }) => weights)"],
])('underline %s of another type', (_, source) => {
  language.setCells(['a'], [{ key: 'a', source }])
  expect(language.problems('a')).not.toEqual([])
})
