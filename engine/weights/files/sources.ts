import type { Facts } from '../foreign/facts.ts'
import { type Names, names, ourName } from '../names.ts'
import type { NamedTensor } from '../safetensors.ts'
import { flaxHeads, fromFlax, withQkv } from './flax.ts'

/** Where a file may be from. */
export interface Source {
  name: string
  /** Whether these may be the names of its tensors. */
  is: (known: readonly string[]) => boolean
  /** Its tensors with our names and layouts. */
  read: (tensors: NamedTensor[]) => NamedTensor[]
  /** What its code has otherwise than timm's. */
  usual?: Facts
  /** What is lost of its tensors with their layouts. */
  evident?: (tensors: readonly NamedTensor[]) => Facts
}

const renamed = (rules: Names) => (tensors: NamedTensor[]) =>
  tensors.map((tensor) => ({ ...tensor, name: ourName(tensor.name, rules) }))
const some = (pattern: RegExp) => (known: readonly string[]) => known.some((name) => pattern.test(name))

/** BERT of Hugging Face without its prefix, and with the names of norms in old files. */
const BERT: Names = [
  [/^(?:bert\.)?((?:embeddings|encoder|pooler)\..*LayerNorm)\.gamma$/, 'bert.$1.weight'],
  [/^(?:bert\.)?((?:embeddings|encoder|pooler)\..*LayerNorm)\.beta$/, 'bert.$1.bias'],
  [/^(cls\..*LayerNorm)\.gamma$/, '$1.weight'],
  [/^(cls\..*LayerNorm)\.beta$/, '$1.bias'],
  [/^(embeddings|encoder|pooler)\./, 'bert.$1.'],
]

/** ViT of Hugging Face, whose query, key and value stand apart. */
const VIT: Names = [
  [/^embeddings\.cls_token$/, 'cls_token'],
  [/^embeddings\.mask_token$/, 'mask_token'],
  [/^embeddings\.position_embeddings$/, 'pos_embed'],
  [/^embeddings\.patch_embeddings\.projection\./, 'patch_embed.proj.'],
  [/^encoder\.layer\.(\d+)\.layernorm_before\./, 'blocks.$1.norm1.'],
  [/^encoder\.layer\.(\d+)\.layernorm_after\./, 'blocks.$1.norm2.'],
  [/^encoder\.layer\.(\d+)\.attention\.attention\.(query|key|value)\./, 'blocks.$1.attn.$2.'],
  [/^encoder\.layer\.(\d+)\.attention\.output\.dense\./, 'blocks.$1.attn.proj.'],
  [/^encoder\.layer\.(\d+)\.intermediate\.dense\./, 'blocks.$1.mlp.fc1.'],
  [/^encoder\.layer\.(\d+)\.output\.dense\./, 'blocks.$1.mlp.fc2.'],
  [/^layernorm\./, 'norm.'],
  [/^classifier\./, 'head.'],
]

/**
 * gMLP of lucidrains, whose patches are rows of a linear map, channel by channel, and are taken as square; its gates have an
 * axis for heads, of which there is usually one.
 */
function fromLucidrains(tensors: NamedTensor[]): NamedTensor[] {
  return renamed(names.lucidrains)(tensors).map((tensor) => {
    const [dim = 0, inputs = 0, ...more] = tensor.shape
    if (/\.gate\.proj\.weight$/.test(tensor.name) && dim === 1 && more.length === 1)
      return { ...tensor, shape: tensor.shape.slice(1) }
    if (/\.gate\.proj\.bias$/.test(tensor.name) && dim === 1 && more.length === 0 && tensor.shape.length === 2)
      return { ...tensor, shape: [inputs] }
    if (tensor.name !== 'stem.proj.weight' || tensor.shape.length !== 2) return tensor
    const channels = [3, 1].find((count) => Number.isInteger(Math.sqrt(inputs / count)))
    const side = Math.sqrt(inputs / (channels ?? 1))
    return channels === undefined ? tensor : { ...tensor, shape: [dim, channels, side, side] }
  })
}

/** Those that are looked for, in this order; the last one takes all: our own files, and those of timm. */
export const sources: readonly Source[] = [
  {
    name: 'big_vision',
    is: some(/^(?:params\/|opt\/target\/)?(?:MixerBlock_0|Transformer\/encoderblock_0)\//),
    read: fromFlax,
    usual: { activation: 'gelu_tanh' }, // the default of nn.gelu there
    evident: (tensors) => ({ heads: flaxHeads(tensors) }),
  },
  { name: 'facebookresearch/deit', is: some(/^blocks\.0\.gamma_1$/), read: renamed(names.deit) },
  {
    name: 'Hugging Face ViT',
    is: some(/^encoder\.layer\.0\.attention\.attention\.query\./),
    read: (tensors) => withQkv(renamed(VIT)(tensors)),
    usual: { eps: 1e-12 },
  },
  { name: 'Hugging Face BERT', is: some(/^(?:bert\.)?encoder\.layer\.0\./), read: renamed(BERT) },
  {
    name: 'lucidrains/g-mlp-pytorch',
    is: some(/^layers\.0\.fn\./),
    read: fromLucidrains,
    usual: { eps: 1e-5 },
  },
  { name: 'timm', is: () => true, read: (tensors) => tensors },
]
