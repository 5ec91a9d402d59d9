import { joined } from '../../data/joined.ts'
import { convLayout, fileShape, LINEAR, toFile } from '../../nn/layout.ts'
import type { NamedTensor } from '../safetensors.ts'

/** Names of Flax for ours; of google-research/big_vision and google-research/vision_transformer. */
const NAMES = [
  [/^(?:params\/|opt\/target\/)/, ''],
  [/^(?:MixerBlock|Transformer\/encoderblock)_(\d+)\//, 'blocks.$1.'],
  [/^(blocks\.\d+)\.LayerNorm_0\//, '$1.norm1.'],
  [/^(blocks\.\d+)\.LayerNorm_[12]\//, '$1.norm2.'],
  [/^(blocks\.\d+)\.(token|channel)_mixing\//, '$1.mlp_$2s.'],
  [/^(blocks\.\d+)\.MlpBlock_\d\//, '$1.mlp.'],
  [/^(blocks\.\d+)\.MultiHeadDotProductAttention_\d\/out\//, '$1.attn.proj.'],
  [/^(blocks\.\d+)\.MultiHeadDotProductAttention_\d\//, '$1.attn.'],
  [/^(blocks\.\d+\.mlp\w*)\.Dense_0\//, '$1.fc1.'],
  [/^(blocks\.\d+\.mlp\w*)\.Dense_1\//, '$1.fc2.'],
  [/^(?:pre_head_layer_norm|Transformer\/encoder_norm)\//, 'norm.'],
  [/^stem\//, 'stem.proj.'],
  [/^embedding\//, 'patch_embed.proj.'],
  [/^cls$/, 'cls_token'],
  [/^(?:Transformer\/posembed_input\/)?pos_embedding$/, 'pos_embed'],
  [/\b(?:scale|kernel)$/, 'weight'],
  [/\//g, '.'],
] as const

const product = (lengths: readonly number[]) => lengths.reduce((all, length) => all * length, 1)

/**
 * Tensors of Mixer and ViT as Flax has them: kernels `[in, out]`, convolutions `[height, width, in, out]`, attention by
 * heads. They become those of timm: `[out, in]`, `[out, in, height, width]`, and query, key and value as one matrix.
 */
export function fromFlax(tensors: NamedTensor[]): NamedTensor[] {
  const known = tensors.map((tensor) => {
    const name = NAMES.reduce((text, [pattern, to]) => text.replace(pattern, to), tensor.name)
    return tensor.name.endsWith('kernel') ? { ...kernel(name, tensor), name } : { ...flatBias(name, tensor), name }
  })
  return withQkv(known)
}

/** How many heads the kernels of attention have, `[dim, heads, width]`; undefined where there are none. */
export function flaxHeads(tensors: readonly NamedTensor[]): number | undefined {
  const query = tensors.find(({ name, shape }) => /\/query\/kernel$/.test(name) && shape.length === 3)
  return query?.shape[1]
}

/** A kernel with its outputs first. Of attention the heads are among the outputs, or the inputs of what follows. */
function kernel(name: string, { shape, values }: NamedTensor): NamedTensor {
  const inputs = name.includes('.attn.proj.') ? product(shape.slice(0, -1)) : (shape[0] as number)
  const layout =
    shape.length === 4
      ? convLayout(...(shape as [number, number, number, number]))
      : { ...LINEAR, view: [inputs, product(shape) / Math.max(1, inputs)] }
  return { name, shape: fileShape(shape, layout), values: toFile(values as Float32Array, shape, layout) }
}

/** The biases of attention by heads, as one list. */
function flatBias(name: string, tensor: NamedTensor): NamedTensor {
  return /\.attn\.(query|key|value)\.bias$/.test(name) ? { ...tensor, shape: [product(tensor.shape)] } : tensor
}

/** Query, key and value of `attn` one below the other, as `qkv`. */
export function withQkv(tensors: NamedTensor[]): NamedTensor[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  return tensors.flatMap((tensor) => {
    const [, place, role, kind] = /^(.*\.attn)\.(query|key|value)\.(weight|bias)$/.exec(tensor.name) ?? []
    if (role === undefined) return [tensor]
    if (role !== 'query') return []
    const parts = ['query', 'key', 'value'].flatMap((each) => byName.get(`${place}.${each}.${kind}`) ?? [])
    const values = new Float32Array(joined(parts.map((part) => Float32Array.from(part.values))).buffer)
    const [, ...rest] = tensor.shape
    const rows = parts.reduce((sum, part) => sum + (part.shape[0] as number), 0)
    return [{ name: `${place}.qkv.${kind}`, shape: [rows, ...rest], values }]
  })
}
