import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { analyze } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { cellModels } from '../../../renderer/model/cellModels.ts'
import { memoryFiles } from '../../engine/data/memory-files.ts'

const notebook = (body: string, counted = 'globalThis.evaluations = (globalThis.evaluations ?? 0) + 1') => `// %% data
import { shapes } from 'mixlab'
${counted}
export const data = shapes({ size: 16, train: 16, test: 4 })

// %% block
import { block, dense, residual } from 'mixlab'
export const mine = block('mine', (x, { dim }) => ${body})

// %% study
import { compare, gmlp, image } from 'mixlab'
export const study = compare('small', { task: image({ data }), model: { patch: 4, dim: 8, depth: 2 }, variants: { mine, gmlp }, seeds: 1 })
`

function reader() {
  const models = cellModels(memoryFiles({}), { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> })
  const read = (text: string, id: string) => {
    const cells = parseNotebook(text)
    return models.read({ cells, facts: analyze(cells), id })
  }
  return { ...models, read }
}

const evaluations = () => (globalThis as { evaluations?: number }).evaluations ?? 0

it('reads the models of a study, evaluates again what has changed alone, and leaves no tensors', async () => {
  const { read, modelOf } = reader()
  const [tensors, before] = [tf.memory().numTensors, evaluations()]
  const first = await read(notebook('residual(x, dense(x, dim))'), 'study')
  expect(first).toMatchObject({ cell: 'study', error: null, studies: [{ study: 'small' }] })
  expect(first.studies[0]?.diagrams.map(({ name, wrong }) => [name, wrong])).toEqual([
    ['mine', null],
    ['gmlp', null],
  ])
  const again = await read(notebook('residual(x, dense(dense(x, dim), dim))'), 'study')
  const [was, is] = [first, again].map(({ studies }) => studies[0]?.diagrams[0]?.totals.parameters ?? 0)
  expect((is ?? 0) - (was ?? 0)).toBe(2 * 72)
  expect(evaluations() - before).toBe(1)
  expect(modelOf('small', 'mine').name).toBe('mine')
  expect(() => modelOf('small', 'other')).toThrow("no such variant of 'small'")
  expect(tf.memory().numTensors).toBe(tensors)
})

it('reads those of a cell that uses it, where a cell has none, and says what a cell throws', async () => {
  const { read } = reader()
  const text = notebook('residual(x, dense(x, dim))')
  expect(await read(text, 'block')).toMatchObject({ cell: 'study', studies: [{ study: 'small' }] })
  const alone = text.slice(0, text.indexOf('// %% study'))
  expect(await read(alone, 'block')).toEqual({ cell: null, studies: [], error: null })
  const thrown = await read(notebook('x', 'nothing()'), 'study')
  expect(thrown).toMatchObject({
    studies: [],
    error: { cell: 'data', error: { line: 2, message: 'nothing is not defined' } },
  })
  const broken = await read(`${text.replace('patch: 4', 'patch: 5')}`, 'study')
  expect(broken.studies[0]?.diagrams[0]?.wrong?.sentence).toContain('5 does not divide the image')
})
