import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { modelIn } from '../../../engine/export/formats/demo.ts'
import { type FormatName, formats } from '../../../engine/export/formats/index.ts'
import { decodeOnnx } from '../../../engine/export/formats/onnx/decode.ts'
import * as models from '../../../engine/models/index.ts'
import { isBlock } from '../../../engine/nn/block.ts'
import { readNpz } from '../../../engine/weights/files/npz.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { CATALOGUE, exported, type Trained, trained } from './trained.ts'

onSimd()

let runs: Trained[] = []
beforeAll(async () => {
  runs = await trained(CATALOGUE)
})
const run = (name: string) => runs.find(({ run }) => `${run.study}/${run.variant}` === name) as Trained
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

it('knows every architecture of the catalogue', () => {
  const known = new Set(runs.map(({ run }) => (run.spec as { model: { block: string } }).model.block))
  const blocks = Object.values<unknown>(models).flatMap((value) => (isBlock(value) ? [value.blockName] : []))
  expect(blocks.filter((name) => !known.has(name))).toEqual([])
})

const names = Object.keys(formats) as FormatName[]

it.each(names.map((format, i) => [format, i] as const))(
  'every model leaves as %s, and says the same when it is read again',
  async (format, i) => {
    for (const each of sample(runs, i, 2 * names.length)) {
      const { proof } = await exported(each, format)
      const name = `${each.run.study}/${each.run.variant}`
      expect({ name, close: proof.difference < 1e-5, examples: proof.examples }, `${proof.difference}`).toEqual({
        name,
        close: true,
        examples: expect.any(Number),
      })
    }
  },
)

describe('what is written', () => {
  it('compares 64 held-out examples', async () => {
    expect((await exported(run('images/mixer'), 'onnx')).proof.examples).toBe(64)
  })
  it.each(['safetensors', 'npz', 'onnx', 'tfjs', 'torch', 'demo'] as const)(
    'says of itself what it is: %s',
    async (format) => {
      const { files, description } = await exported(run('sequences/bert'), format)
      const { key } = run('sequences/bert').run
      const about = {
        safetensors: () => readSafetensors(files['.safetensors'] as Uint8Array).metadata.mixlab,
        npz: () => text(unzipSync(files['.npz'] as Uint8Array)['mixlab.json']),
        onnx: () => decodeOnnx(files['.onnx'] as Uint8Array).metadata.mixlab,
        tfjs: () => JSON.stringify(JSON.parse(text(files['.json'])).userDefinedMetadata.mixlab),
        torch: () => readSafetensors(files['.py.safetensors'] as Uint8Array).metadata.mixlab,
        demo: () => readSafetensors(modelIn(files['.html'] as Uint8Array)).metadata.mixlab,
      }[format]()
      expect(JSON.parse(about ?? '')).toEqual(description)
      expect(description).toMatchObject({
        run: { key, variant: 'bert', seed: 1 },
        task: 'sequence',
        input: { shape: ['batch', 20], dtype: 'int32', preparation: { tokens: 20, pool: 'first', padding: { id: 0 } } },
        spec: { train: { steps: 5 } },
        source: null,
      })
      expect(description.classes).toHaveLength(2)
      expect(description.tokenizer).toMatchObject({ kind: 'words' })
      const [first, ...beside] = Object.keys(files)
      expect(first).toBe(formats[format].ending)
      expect(beside).toContain(`${first}.md`)
      expect(beside.includes('.tokenizer.json')).toBe(format !== 'demo')
    },
  )
  it('has the source of a block of a cell, and the classes and channels of its images', async () => {
    const { description, files } = await exported(run('images/gated'), 'onnx')
    expect(description.source).toContain("block('gated'")
    expect(description.input.preparation).toMatchObject({ size: [16, 16], channels: 3, mean: [0.5, 0.5, 0.5] })
    expect(text(files['.onnx.md'])).toMatch(
      /^# images: gated\n[\s\S]*## Input\n[\s\S]*```python\n[\s\S]*block\('gated'/,
    )
  })
  it('has norms and activations as such in ONNX, with a batch of any length', async () => {
    const { nodes, inputs, opset } = decodeOnnx(
      (await exported(run('images/gmlp'), 'onnx')).files['.onnx'] as Uint8Array,
    )
    const types = new Set(nodes.map(({ type }) => type))
    expect(opset).toBe(20)
    expect([...types]).toEqual(expect.arrayContaining(['LayerNormalization', 'Gelu', 'MatMul', 'Gemm']))
    expect([types.has('Erf'), types.has('Sqrt')]).toEqual([false, false])
    expect(inputs).toEqual([{ name: 'input', shape: ['batch', 16, 16, 3], dtype: 'float32' }])
  })
  it('has the names of PyTorch in every format, and Toeplitz matrices as [n, n] where asked', async () => {
    const names = async (format: 'safetensors' | 'onnx' | 'npz', toeplitz: boolean) => {
      const { files } = await exported(run('images/toeplitz'), format, { toeplitz })
      const bytes = files[formats[format].ending] as Uint8Array
      const read = {
        safetensors: () => readSafetensors(bytes).tensors,
        npz: () => readNpz(bytes, 'npz'),
        onnx: () => decodeOnnx(bytes).tensors,
      }[format]
      const gates = read().filter(({ name }) => /gate\.proj\.(weight|toeplitz)$/.test(name))
      return gates.map(({ name, shape }) => [name.split('.').at(-1), shape])
    }
    for (const format of ['safetensors', 'onnx', 'npz'] as const) {
      expect(await names(format, false)).toEqual([
        ['toeplitz', [31]],
        ['toeplitz', [31]],
      ])
      expect(await names(format, true)).toEqual([
        ['weight', [16, 16]],
        ['weight', [16, 16]],
      ])
    }
  })
  it('is folded where asked, without affine layers of a ResMLP and convolutions beside matrices, and no other model is', async () => {
    const { files, proof } = await exported(run('images/resmlp'), 'torch', { fold: true })
    expect(proof.difference).toBeLessThan(1e-5)
    expect(text(files['.py'])).not.toContain('alpha')
    for (const name of ['images/local', 'images/localResmlp']) {
      const { files, proof } = await exported(run(name), 'torch', { fold: true })
      expect(proof.difference).toBeLessThan(1e-5)
      expect(text(files['.py'])).not.toMatch(/alpha|conv2d.*conv\d|running/)
    }
    await expect(exported(run('images/mixer'), 'torch', { fold: true })).rejects.toThrow('--fold: run')
  })
  it.each(['onnx', 'torch', 'tfjs', 'safetensors'] as const)(
    'is a RepMLPNet in one matrix where asked: %s',
    async (format) => {
      const { description, proof, folding, warnings } = await exported(run('images/repmlpNet'), format, { fold: true })
      expect(proof.difference).toBeLessThan(1e-5)
      expect(description.changed.folded).toBe(true)
      expect(folding?.after).toBeLessThan(folding?.before ?? 0)
      expect(warnings).toEqual([])
    },
  )
  it('is refused where it says anything else than the model', async () => {
    const mixer = run('images/mixer')
    const { tensors, metadata } = readSafetensors(mixer.weights)
    const broken = tensors.map((tensor) => ({ ...tensor, values: tensor.values.map(() => Number.NaN) as Float32Array }))
    const weights = writeSafetensors(broken, metadata)
    await expect(exported({ ...mixer, weights }, 'onnx')).rejects.toThrow(
      /not written: a logit of the onnx file differs .* Infinity/,
    )
  })
})
