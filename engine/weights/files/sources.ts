import { type Names, names, ourName } from '../names.ts'
import type { NamedTensor } from '../safetensors.ts'
import { fromFlax } from './flax.ts'

/** Where a file may be from. */
export interface Source {
  name: string
  /** Whether these may be the names of its tensors. */
  is: (known: readonly string[]) => boolean
  /** Its tensors with our names and layouts. */
  read: (tensors: NamedTensor[]) => NamedTensor[]
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

/** Those that are looked for, in this order; the last one takes all: our own files, and those of timm. */
export const sources: readonly Source[] = [
  {
    name: 'big_vision',
    is: some(/^(?:params\/|opt\/target\/)?(?:MixerBlock_0|Transformer\/encoderblock_0)\//),
    read: fromFlax,
  },
  { name: 'facebookresearch/deit', is: some(/^blocks\.0\.gamma_1$/), read: renamed(names.deit) },
  { name: 'Hugging Face BERT', is: some(/^(?:bert\.)?encoder\.layer\.0\./), read: renamed(BERT) },
  { name: 'lucidrains/g-mlp-pytorch', is: some(/^layers\.0\.fn\./), read: renamed(names.lucidrains) },
  { name: 'timm', is: () => true, read: (tensors) => tensors },
]
