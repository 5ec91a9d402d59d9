import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FormatName } from '../../../engine/export/formats/index.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { pythonWith } from './python.ts'
import { sentences } from './sentences.ts'
import { CATALOGUE, classesOf, exported, saying, type Trained, trained } from './trained.ts'

// Readers that are not ours, where the machine has them: ONNX Runtime, NumPy and PyTorch.
onSimd()

const root = mkdtempSync(join(tmpdir(), 'mixlab-export-'))
let runs: Trained[] = []
beforeAll(async () => {
  runs = sample(await trained(CATALOGUE), 0, 12)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const nameOf = ({ run }: Trained) => `${run.study}-${run.variant}`

/** Writes models in a format, each into a folder of its own, and what they say beside it. */
async function written(format: FormatName, some: Trained[]): Promise<string> {
  for (const each of some) {
    const folder = join(root, format, nameOf(each))
    mkdirSync(folder, { recursive: true })
    for (const [end, bytes] of Object.entries((await exported(each, format)).files)) {
      writeFileSync(join(folder, `model${end}`), bytes)
    }
    const tensors = readSafetensors(each.weights).tensors.map(({ name, values }) => [name, Array.from(values)])
    const said = { ...(await saying(each)), tensors: Object.fromEntries(tensors) }
    writeFileSync(join(folder, 'said.json'), JSON.stringify(said))
  }
  return join(root, format)
}

function far(differences: Record<string, number>): [string, number][] {
  return Object.entries(differences).filter(([, difference]) => !(difference < 1e-5))
}

it.for([
  ['numpy', 'npz', 2], // which knows tensors alone, not what a model does with them
  ['torch', 'torch', 1],
] as const)('%s reads every model', async ([module, format, every], { skip }) => {
  const python = pythonWith(module) ?? skip(`there is no Python with ${module}`)
  const some = sample(runs, 0, every)
  const folder = await written(format, some)
  const output = execFileSync(python, [join(import.meta.dirname, 'reader.py'), module, folder], { encoding: 'utf8' })
  const found = JSON.parse(output)
  expect(Object.keys(found)).toHaveLength(some.length)
  expect(far(found)).toEqual([])
})

/** What is used of onnxruntime-node, which is no dependency: it has 288 MB. */
interface Runtime {
  Tensor: new (type: string, values: Float32Array | Int32Array, shape: number[]) => unknown
  InferenceSession: {
    create(file: Uint8Array): Promise<{
      inputMetadata: { name: string; type: string; shape: (string | number)[] }[]
      run(inputs: Record<string, unknown>): Promise<{ logits: { data: Float32Array } }>
      release(): Promise<void>
    }>
  }
}

function onnxRuntime(): Runtime | null {
  try {
    return createRequire(import.meta.url)('onnxruntime-node')
  } catch {
    return null
  }
}

it('ONNX Runtime reads every model, with any number of examples', async ({ skip }) => {
  const ort = onnxRuntime() ?? skip('onnxruntime-node is not installed: npm install --no-save onnxruntime-node')
  const found: Record<string, number> = {}
  for (const each of runs) {
    const { files } = await exported(each, 'onnx')
    const said = await saying(each)
    const session = await ort.InferenceSession.create(files['.onnx'] as Uint8Array)
    const inputs = session.inputMetadata.map(({ name, type, shape }) => {
      const values = said[name] as number[]
      const sizes = shape.map((length) => (typeof length === 'string' ? 1 : length))
      const examples = values.length / sizes.reduce((a, b) => a * b, 1)
      const typed = type === 'int32' ? Int32Array.from(values) : Float32Array.from(values)
      return [name, new ort.Tensor(type, typed, sizes.with(0, examples))]
    })
    const { logits } = await session.run(Object.fromEntries(inputs))
    await session.release()
    const expected = said.logits as number[]
    expect(logits.data).toHaveLength(expected.length)
    found[nameOf(each)] = Math.max(...expected.map((value, i) => Math.abs(value - (logits.data[i] as number))))
  }
  expect(Object.keys(found)).toHaveLength(runs.length)
  expect(far(found)).toEqual([])
})

it('ONNX Runtime and a tokenizer that is not ours give 1,000 sentences the same classes', async ({ skip }) => {
  const ort = onnxRuntime() ?? skip('onnxruntime-node is not installed: npm install --no-save onnxruntime-node')
  for (const each of runs.filter(({ run }) => ['sequences', 'means'].includes(run.study))) {
    const { files } = await exported(each, 'onnx')
    const session = await ort.InferenceSession.create(files['.onnx'] as Uint8Array)
    const json = JSON.parse(new TextDecoder().decode(files['.tokenizer.json']))
    const tokenizer = new Tokenizer(json, {})
    const tokens = json.padding.strategy.Fixed as number
    const texts = sentences(1000, Object.keys(json.model.vocab).slice(5))
    const encoded = texts.map((text) => {
      const ids = tokenizer.encode(text).ids
      return ids.length > tokens ? [...ids.slice(0, tokens - 1), ids.at(-1) as number] : ids
    })
    const column = (value: (ids: number[], at: number) => number) =>
      encoded.flatMap((ids) => Array.from({ length: tokens }, (_, at) => value(ids, at)))
    const given = {
      input: new ort.Tensor('int32', Int32Array.from(column((ids, at) => ids[at] ?? json.padding.pad_id)), [
        1000,
        tokens,
      ]),
      types: new ort.Tensor('int32', Int32Array.from(column(() => 0)), [1000, tokens]),
      mask: new ort.Tensor('float32', Float32Array.from(column((ids, at) => Number(at < ids.length))), [1000, tokens]),
    }
    const names = session.inputMetadata.map(({ name }) => name as keyof typeof given)
    const { logits } = await session.run(Object.fromEntries(names.map((name) => [name, given[name]])))
    await session.release()
    const [own, elsewhere] = [await classesOf(each, texts), (i: number) => logits.data.subarray(2 * i, 2 * i + 2)]
    const other = own.map((_, i) => Number((elsewhere(i)[1] as number) > (elsewhere(i)[0] as number)))
    expect(other, nameOf(each)).toEqual(own)
    if (each.run.study === 'means') expect(new Set(own).size).toBe(2)
  }
})
