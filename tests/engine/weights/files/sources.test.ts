import { describe, expect, it } from 'vitest'
import { modelTensors } from '../../../../engine/cost/trace.ts'
import { bert, mixer, resmlp, vit } from '../../../../engine/models/index.ts'
import { assemble } from '../../../../engine/nn/frame.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import type { Block } from '../../../../engine/nn/types.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import { openWeightsFile } from '../../../../engine/weights/files/index.ts'
import { type NamedTensor, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { npz } from './npy.ts'

const size = { dim: 6, depth: 2, ffn: 8 }

/** Tensors with the names of timm, with different numbers everywhere. */
async function tensorsOf(block: Block, modality: 'image' | 'text' = 'image'): Promise<NamedTensor[]> {
  const forward = assemble(block, resolveSize(block, {}, 'test'), modality, { inputs: 5, outputs: 5 })
  const input = modality === 'text' ? { shape: [1, 4], dtype: 'int32' as const } : { shape: [1, 8, 8, 3] }
  const found = await modelTensors(forward, input)
  return found.map(({ name, shape }) => {
    const count = shape.reduce((product, length) => product * length, 1)
    return { name, shape, values: Float32Array.from({ length: count }, (_, i) => normal(keyOf(1, name), i)) }
  })
}

const sorted = (tensors: NamedTensor[]) => tensors.toSorted((a, b) => a.name.localeCompare(b.name))

/** As Flax has a tensor of PyTorch: outputs last. */
function toFlax(name: string, { shape, values }: NamedTensor, flaxShape?: number[]): NamedTensor {
  const [outputs = 1, ...inner] = shape
  if (shape.length === 1 || !name.endsWith('kernel')) return { name, shape: flaxShape ?? shape, values }
  const [inputs = 1, height = 1, width = 1] = inner
  const turned = new Float32Array(values.length)
  let at = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < outputs; o++) turned[at++] = values[((o * inputs + i) * height + y) * width + x] as number
  return { name, shape: flaxShape ?? [...inner.slice(1), inputs, outputs], values: turned }
}

describe('weights of', () => {
  it('timm, and our own, are taken as they are', async () => {
    const tensors = await tensorsOf(mixer({ ...size, patch: 4 }))
    expect(openWeightsFile(writeSafetensors(tensors), 'f').tensors).toEqual(tensors)
  })

  it('a tensor whose name is over 4,000 characters long are refused', () => {
    const file = writeSafetensors([{ name: 'x'.repeat(4001), shape: [1], values: Float32Array.of(1) }])
    expect(() => openWeightsFile(file, 'f')).toThrow(/has a name of 4001 characters, expected at most 4000$/)
  })

  it('facebookresearch/deit', async () => {
    const tensors = await tensorsOf(resmlp({ ...size, patch: 4 }))
    const theirs = tensors.map((tensor) => ({
      ...tensor,
      name: tensor.name
        .replace('stem.', 'patch_embed.')
        .replace('.linear_tokens.', '.attn.')
        .replace('.mlp_channels.', '.mlp.')
        .replace(/\.ls(\d)$/, '.gamma_$1'),
    }))
    expect(openWeightsFile(writeSafetensors(theirs), 'f').tensors).toEqual(tensors)
  })

  it('Hugging Face BERT, without its prefix and with norms as they were called before', async () => {
    const tensors = await tensorsOf(bert({ ...size, heads: 2 }), 'text')
    const theirs = tensors.map((tensor) => ({
      ...tensor,
      name: tensor.name
        .replace(/^bert\./, '')
        .replace('LayerNorm.weight', 'LayerNorm.gamma')
        .replace('LayerNorm.bias', 'LayerNorm.beta'),
    }))
    expect(openWeightsFile(writeSafetensors(theirs), 'f').tensors).toEqual(tensors)
  })

  it('big_vision: Mixer', async () => {
    const tensors = await tensorsOf(mixer({ ...size, patch: 4 }))
    const theirs = tensors.map((tensor) => {
      const name = tensor.name
        .replace(/^blocks\.(\d+)\.norm(\d)\./, (_, i, n) => `MixerBlock_${i}/LayerNorm_${n - 1}/`)
        .replace(
          /^blocks\.(\d+)\.mlp_(token|channel)s\.fc(\d)\./,
          (_, i, kind, n) => `MixerBlock_${i}/${kind}_mixing/Dense_${n - 1}/`,
        )
        .replace(/^norm\./, 'pre_head_layer_norm/')
        .replace(/^stem\.proj\./, 'stem/')
        .replace(/^head\./, 'head/')
        .replace(/((?:LayerNorm_\d|layer_norm)\/)weight$/, '$1scale')
        .replace(/weight$/, 'kernel')
      return toFlax(name, tensor)
    })
    expect(theirs.map(({ name }) => name)).toContain('MixerBlock_1/token_mixing/Dense_0/kernel')
    expect(sorted(openWeightsFile(npz(theirs), 'f').tensors)).toEqual(sorted(tensors))
  })

  it('big_vision: ViT, its heads one beside the other', async () => {
    const [heads, dim] = [2, 6]
    const tensors = await tensorsOf(vit({ ...size, heads, patch: 4 }))
    const theirs = tensors.flatMap((tensor) => {
      const { name, values } = tensor
      const block = name.replace(/^blocks\.(\d+)\..*$/, 'Transformer/encoderblock_$1')
      const attention = `${block}/MultiHeadDotProductAttention_1`
      if (/qkv\.(weight|bias)$/.test(name)) {
        const isKernel = name.endsWith('weight')
        const part = values.length / 3
        return ['query', 'key', 'value'].map((role, i) => {
          const own = { name, shape: isKernel ? [dim, dim] : [dim], values: values.slice(i * part, (i + 1) * part) }
          const shape = isKernel ? [dim, heads, dim / heads] : [heads, dim / heads]
          return toFlax(`${attention}/${role}/${isKernel ? 'kernel' : 'bias'}`, own, shape)
        })
      }
      const renamed = name
        .replace(/^blocks\.\d+\.attn\.proj\./, `${attention}/out/`)
        .replace(/^blocks\.\d+\.norm1\./, `${block}/LayerNorm_0/`)
        .replace(/^blocks\.\d+\.norm2\./, `${block}/LayerNorm_2/`)
        .replace(/^blocks\.\d+\.mlp\.fc(\d)\./, (_, n) => `${block}/MlpBlock_3/Dense_${n - 1}/`)
        .replace(/^norm\./, 'Transformer/encoder_norm/')
        .replace(/^patch_embed\.proj\./, 'embedding/')
        .replace(/^head\./, 'head/')
        .replace(/^cls_token$/, 'cls')
        .replace(/^pos_embed$/, 'Transformer/posembed_input/pos_embedding')
        .replace(/((?:LayerNorm_\d|encoder_norm)\/)weight$/, '$1scale')
        .replace(/weight$/, 'kernel')
      return [toFlax(renamed, tensor, renamed.endsWith('out/kernel') ? [heads, dim / heads, dim] : undefined)]
    })
    expect(sorted(openWeightsFile(npz(theirs), 'f').tensors)).toEqual(sorted(tensors))
  })

  it('nothing are refused', () => {
    expect(() => openWeightsFile(writeSafetensors([]), 'f')).toThrow('f: has no tensors')
  })
})
