import { readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import { bert, block, eamlp, mixer, vit, weights } from '../../../engine/index.ts'
import { assemble, type Ends } from '../../../engine/nn/frame.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { fitFile, openFile, startFromFile } from '../../../engine/study/start/file.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { type NamedTensor, readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { memoryFiles } from '../data/memory-files.ts'

onSimd()

const fileOf = (name: string, file: string) => new Uint8Array(readFileSync(`tests/golden/foreign/${name}/${file}`))
const sizes = { dim: 24, depth: 1, ffn: 30 }

/** A file of a case, beside which may lie its configuration, for a variant. */
async function fitted(name: string, variant: Block, modality: Modality, ends: Ends, input: number[], config: boolean) {
  const files = memoryFiles({
    'w/model.safetensors': fileOf(name, 'model.safetensors'),
    ...(config && { 'w/config.json': fileOf(name, 'config.json') }),
  })
  const file = await openFile(weights({ path: 'w/model.safetensors' }), files, 's.from')
  const size = resolveSize(variant, {}, 'test')
  const spec = { shape: input, dtype: modality === 'text' ? ('int32' as const) : ('float32' as const) }
  const forward = assemble(variant, size, modality, ends)
  const opened = { model: () => forward, input: spec } as unknown as Task
  return { file: await fitFile(file, { block: variant, size, opened }), forward, spec }
}
const asBert = (name: string, options: Parameters<typeof bert>[0], config = true) =>
  fitted(
    name,
    bert({ ...sizes, positions: 12, ...options }),
    'text',
    { inputs: 30, outputs: 4, head: 'class' },
    [2, 12],
    config,
  )
const asVit = (name: string, variant: Block, config = true) =>
  fitted(name, variant, 'image', { outputs: 7 }, [1, 16, 16, 3], config)

describe('weights from elsewhere that a study starts from', () => {
  it('may be a checkpoint of PyTorch, in parts, in a folder, and without a head, which is then made anew', async () => {
    const checkpoint = new Uint8Array(readFileSync('tests/golden/torch/mixer.ckpt'))
    const whole = readSafetensors(fileOf('mixer', 'model.safetensors')).tensors
    const bare = whole.filter(({ name }) => !name.startsWith('head.'))
    const index = { weight_map: { a: 'x.safetensors', b: 'y.safetensors' } }
    const files = memoryFiles({
      'w/best.ckpt': checkpoint,
      'hf/pytorch_model.bin': checkpoint,
      'bare/model.safetensors': writeSafetensors(bare),
      'parts/model.safetensors.index.json': JSON.stringify(index),
      'parts/x.safetensors': writeSafetensors(whole.slice(0, 5)),
      'parts/y.safetensors': writeSafetensors(whole.slice(5)),
    })
    const variant = mixer({ patch: 4, dim: 12, depth: 2, tokenRatio: 7.5 / 12, ffn: 20 })
    const size = resolveSize(variant, {}, 'test')
    const forward = assemble(variant, size, 'image', { outputs: 9 })
    const spec = { shape: [1, 16, 16, 3] }
    const opened = { model: () => forward, input: spec } as unknown as Task
    const before = tf.memory().numTensors
    const taken: Record<string, number> = {}
    const digests = new Set<string>()
    for (const path of ['w/best.ckpt', 'hf', 'parts', 'bare']) {
      const file = await openFile(weights({ path }), files, 's.from')
      const model = createModel(forward, spec, 0)
      taken[path] = startFromFile(await fitFile(file, { block: variant, size, opened }), model)
      digests.add(file.name.sha256)
      model.dispose()
    }
    const head = 9 * 12 + 9
    const all = taken.parts as number
    expect(taken).toEqual({ 'w/best.ckpt': all, hf: all, parts: all, bare: all - head })
    expect(digests.size).toBe(3) // a folder has the digest of its file
    expect(tf.memory().numTensors).toBe(before)
  })
  it.each([
    ['bert-3-heads', { heads: 3 }],
    ['bert-8-heads-module-f16', { heads: 8, activation: 'gelu_tanh', eps: 1e-3 }],
  ] as const)('say what PyTorch says: %s', async (name, options) => {
    const { file, forward, spec } = await asBert(name, options)
    const model = createModel(forward, spec, 0)
    expect(startFromFile(file, model)).toBeGreaterThan(4000)
    const { tensors } = readSafetensors(fileOf(name, 'expected.safetensors'))
    const [ids, logits] = tensors as [NamedTensor, NamedTensor]
    const apart = tf.tidy(() => {
      const own = model.apply(tf.tensor2d(ids.values, [2, 12], 'int32'), {})
      const right = tf.tensor2d(logits.values, [2, 4])
      return tf.div(tf.max(tf.abs(tf.sub(own, right))), tf.max(tf.abs(right))).dataSync()[0]
    })
    model.dispose()
    expect(apart).toBeLessThan(1e-5)
  })
  it('are refused for a variant with another number of heads, activation or eps than their configuration', async () => {
    await expect(asBert('bert-3-heads', {})).rejects.toThrow(
      "s.from: 'w/model.safetensors': is of a model with heads: 3, the variant has heads: 12; write bert({ heads: 3 })",
    )
    await expect(asBert('bert-8-heads-module-f16', { heads: 8 })).rejects.toThrow(
      'a model with eps: 0.001, activation: "gelu_tanh", the variant has eps: 1e-12, activation: "gelu"',
    )
    await expect(asVit('vit-3-heads', vit({ ...sizes, heads: 12 }))).rejects.toThrow('write vit({ heads: 3 })')
  })
  it('are refused where nothing says their heads, unless the variant does', async () => {
    await expect(asVit('vit-12-heads', vit(sizes), false)).rejects.toThrow(
      'nothing says how many heads it has; write them',
    )
    expect((await asVit('vit-12-heads', vit({ ...sizes, heads: 12 }), false)).file.known?.facts).toEqual({})
    await expect(asVit('vit-12-heads', eamlp({ ...sizes }), false)).rejects.toThrow('missing: ') // what is worse comes first
  })
  it('go into a block of a cell, whose activation is its own affair', async () => {
    const own = block('own', { heads: 6 }, vit.run, vit.frames)({ ...sizes })
    expect((await asVit('vit-positions-of-patches', own).catch(String)) as unknown).toContain(
      "'pos_embed' is [1,16,24]",
    )
    const { file } = await fitted('vit-backbone-f16', own, 'image', { outputs: 7 }, [1, 16, 16, 3], true)
    expect(file.fitted?.length).toBeGreaterThan(10)
  })
})
