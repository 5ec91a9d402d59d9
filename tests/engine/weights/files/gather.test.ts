import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile } from '../../../../engine/predict/file.ts'
import { gatherWeights } from '../../../../engine/weights/files/gather.ts'
import { openWeightsFile } from '../../../../engine/weights/files/index.ts'
import { type NamedTensor, readSafetensors, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../../data/memory-files.ts'

onSimd()

const bytes = (path: string) => new Uint8Array(readFileSync(path))
const mixer = () => readSafetensors(bytes('tests/golden/foreign/mixer/model.safetensors')).tensors
const index = (map: Record<string, unknown>) => JSON.stringify({ metadata: { total_size: 1 }, weight_map: map })

/** A file in two parts. */
function parts(first: NamedTensor[], second: NamedTensor[]) {
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const
  const map = [first, second].flatMap((tensors, i) => tensors.map(({ name }) => [name, names[i]]))
  return {
    [`hf/${names[0]}`]: writeSafetensors(first),
    [`hf/${names[1]}`]: writeSafetensors(second),
    'hf/model.safetensors.index.json': index(Object.fromEntries(map)),
  }
}
const opened = async (path: string, files: Record<string, Uint8Array | string>) => {
  const { parts } = await gatherWeights(path, memoryFiles(files))
  return openWeightsFile(parts, path)
}

describe('a file of weights', () => {
  it('in parts is read by its index, or by its folder', async () => {
    const all = mixer()
    const files = { ...parts(all.slice(0, 7), all.slice(7)), 'hf/config.json': '{}', 'hf/training_args.bin': 'x' }
    for (const path of ['hf', 'hf/', 'hf/model.safetensors.index.json'])
      expect((await opened(path, files)).tensors).toEqual(all)
    await expect(opened('hf/model-00001-of-00002.safetensors', files)).rejects.toThrow(
      'is one part of several; name their index, model.safetensors.index.json',
    )
    const { 'hf/model-00002-of-00002.safetensors': _, ...cut } = files as Record<string, Uint8Array | string>
    await expect(opened('hf', cut)).rejects.toThrow('hf/model-00002-of-00002.safetensors: no such file')
    await expect(opened('hf', parts(all.slice(0, 7), all.slice(6)))).rejects.toThrow(/in two of its files/)
  })
  it('has parts beside its index alone', async () => {
    for (const name of ['../secret.bin', '/etc/passwd', 'a\\b.bin', '..', 'a/b.bin'])
      await expect(opened('a.index.json', { 'a.index.json': index({ x: name }) })).rejects.toThrow(
        'expected the name of a file beside it',
      )
    for (const json of [
      '{',
      '[]',
      '{}',
      index({}),
      index({ x: 1 }),
      '{"weightsManifest":[{}]}',
      '{"weightsManifest":3}',
    ])
      await expect(opened('a.index.json', { 'a.index.json': json })).rejects.toThrow(
        'a.index.json: is JSON, but neither an index',
      )
  })
  it('is the one of a folder, or has to be named', async () => {
    const one = writeSafetensors(mixer())
    expect((await opened('a', { 'a/best.pt': one, 'a/optimizer.pt': 'x', 'a/notes.txt': 'x' })).tensors).toHaveLength(
      mixer().length,
    )
    await expect(opened('a', { 'a/best.pt': one, 'a/last.pt': one })).rejects.toThrow(
      'a: has 2 files of weights, such as best.pt; name one',
    )
    await expect(opened('a', { 'a/notes.txt': 'x' })).rejects.toThrow('a: has no file of weights: .safetensors')
  })
  it('of a PyTorch module is its tensors, and its code is not read', async () => {
    const files = memoryFiles({ 'm.py': 'import os', 'm.py.safetensors': writeSafetensors(mixer()) })
    expect((await gatherWeights('m.py', files)).parts).toHaveLength(1)
    expect(files.reads).toEqual(['m.py.safetensors'])
    await expect(gatherWeights('m.py', memoryFiles({ 'm.py': 'import os' }))).rejects.toThrow(
      'm.py.safetensors: no such file',
    )
  })
})

describe('a file from elsewhere', () => {
  const facts = { facts: { mean: [0.5], deviation: [0.5] } }
  /** A safetensors file with a tensor of another type beside its own. */
  function withType(tensors: NamedTensor[], name: string, dtype: string) {
    const file = writeSafetensors([...tensors, { name, shape: [1], values: Float32Array.of(0) }])
    const end = 8 + Number(new DataView(file.buffer).getBigUint64(0, true))
    const header = new TextDecoder().decode(file.subarray(8, end)).trimEnd()
    const changed = new TextEncoder().encode(
      header.replace(`"${name}":{"dtype":"F32"`, `"${name}":{"dtype":"${dtype}"`),
    )
    const all = new Uint8Array(8 + changed.length + file.length - end)
    new DataView(all.buffer).setBigUint64(0, BigInt(changed.length), true)
    all.set(changed, 8)
    all.set(file.subarray(end), 8 + changed.length)
    return all
  }
  it('may have counters and types that nobody needs, which it says', async () => {
    const counter = { name: 'norm.num_batches_tracked', shape: [], values: Int32Array.of(7) }
    const model = await modelOfFile(withType([...mixer(), counter], 'position_ids', 'F8_E4M3'), 'f', {}, facts)
    expect(model.notes[0]).toBe("tensor 'position_ids' of type 'F8_E4M3' is not read")
    model.dispose()
  })
  it('is refused where such a type is missed, which it says', async () => {
    const cut = mixer().filter(({ name }) => name !== 'head.bias')
    await expect(modelOfFile(withType(cut, 'head.bias', 'F8_E4M3'), 'f', {}, facts)).rejects.toThrow(
      "f: tensor 'head.bias' is missing; tensor 'head.bias' of type 'F8_E4M3' is not read",
    )
  })
  it('without a head is refused with what to do', async () => {
    const bare = mixer().filter(({ name }) => !name.startsWith('head.'))
    await expect(modelOfFile(writeSafetensors(bare), 'f', {}, facts)).rejects.toThrow(
      'f: has no head: it gives features and names no classes; a study that starts from it, from: weights({ path }), trains one',
    )
  })
  it.each(['', 'module.', 'model.', '_orig_mod.', '_orig_mod.module.', 'backbone.', 'net.model.'])(
    'is known behind %s',
    async (front) => {
      const renamed = mixer().map((tensor) => ({ ...tensor, name: front + tensor.name }))
      expect(openWeightsFile(writeSafetensors(renamed), 'f').tensors).toEqual(mixer())
      const other = [{ name: `${front}conv1.weight`, shape: [1], values: Float32Array.of(1) }]
      expect(openWeightsFile(writeSafetensors(other), 'f').tensors[0]?.name).toBe('conv1.weight')
    },
  )
})
