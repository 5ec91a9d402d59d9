import * as tf from '@tensorflow/tfjs'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { FORMATS, type FormatName } from '../../../engine/export/formats/known.ts'
import type { ExportProgress } from '../../../engine/export/progress.ts'
import * as mixlab from '../../../engine/index.ts'
import { modelWriter } from '../../../renderer/export/writer.ts'
import { memoryFiles } from '../../engine/data/memory-files.ts'
import { type Trained, trained } from '../../engine/export/trained.ts'

const NOTEBOOK = `// %% cells
import { block, compare, dense, image, mixer, residual, shapes } from 'mixlab'
const own = block('own', (x, { dim }) => residual(x, dense(x, dim)))
export const images = compare('images', {
  task: image({ data: shapes({ size: 16, train: 100, validation: 0.2, test: 20 }) }),
  variants: { mixer, own },
  model: { patch: 4, dim: 8, depth: 1 }, train: { steps: 2, batch: 8 }, seeds: 1,
})
`

let runs: Trained[] = []
beforeAll(async () => {
  runs = await trained(NOTEBOOK)
})

function writer(onProgress: (progress: ExportProgress) => void = () => {}) {
  return modelWriter(
    memoryFiles({}),
    { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> },
    onProgress,
  )
}

const options = (format: FormatName, name = 'model') => {
  return { format, chosen: { which: 'last', step: 2, testedAt: 2 } as const, name }
}

describe('what is taken', () => {
  it.each([
    ['safetensors', 'model.safetensors'],
    ['npz', 'model.npz'],
    ['onnx', 'model.onnx'],
    ['tfjs', 'model-tfjs.zip'],
    ['torch', 'model-torch.zip'],
  ] as const)('%s of one run is %s', async (format, file) => {
    const own = writer()
    const { run, weights } = runs[0] as Trained
    const { proof, record, snippets } = await own.write(run, weights, options(format))
    expect(proof.examples).toBeGreaterThan(0)
    expect(record).toMatchObject({ format, weights: 'last', ...proof })
    expect(snippets.python.join()).toContain(format === 'torch' ? "'model'" : `model${FORMATS[format].ending}`)
    const { name, bytes } = await own.take('several', false)
    expect(name).toBe(file)
    if (name.endsWith('.zip')) expect(Object.keys(unzipSync(bytes))).toContain(`model${FORMATS[format].ending}.md`)
  })
  it('is an archive where a card goes with it, and of several runs', async () => {
    const own = writer()
    const [first, second] = runs as [Trained, Trained]
    await own.write(first.run, first.weights, options('npz', 'a'))
    const { name, bytes } = await own.take('several', true)
    expect([name, Object.keys(unzipSync(bytes))]).toEqual(['a-npz.zip', ['a.npz', 'a.npz.md']])
    await own.write(second.run, second.weights, options('npz', 'b'))
    const both = await own.take('several', false)
    expect(both.name).toBe('several.zip')
    expect(Object.keys(unzipSync(both.bytes))).toEqual(['a/a.npz', 'a/a.npz.md', 'b/b.npz', 'b/b.npz.md'])
  })
  it('is nothing where nothing was written', async () => {
    await expect(writer().take('several', false)).rejects.toThrow('nothing was exported')
  })
})

it('says how far it is, and the proof as it grows', async () => {
  const said: ExportProgress[] = []
  const { run, weights } = runs[1] as Trained
  await writer((progress) => said.push(progress)).write(run, weights, options('onnx'))
  expect(said.map(({ at }) => at).filter((at, i, all) => at !== all[i - 1])).toEqual([
    ...['model', 'tests', 'file', 'proof'],
  ])
  const examples = said.flatMap((progress) => (progress.at === 'proof' ? [progress.proof.examples] : []))
  expect(examples).toEqual(examples.toSorted((a, b) => a - b))
  expect(examples.length).toBeGreaterThan(1)
})

it('does not write a run in training, nor what cannot be folded, and holds nothing of them', async () => {
  const own = writer()
  const { run, weights } = runs[0] as Trained
  const running = { ...run, status: 'running' as const }
  await expect(own.write(running, weights, options('onnx'))).rejects.toThrow(/^run 1: is still training/)
  await expect(own.write(run, weights, { ...options('onnx'), fold: true })).rejects.toThrow('is no ResMLP for images')
  await expect(own.write(run, weights.subarray(0, 40), options('onnx'))).rejects.toThrow('safetensors')
  await expect(own.take('several', false)).rejects.toThrow('nothing was exported')
})
