import { gmlp, mixer, resmlp } from '../../models/index.ts'
import type { Block } from '../../nn/types.ts'
import type { Facts } from './facts.ts'
import { vitVariant } from './vitVariant.ts'

/** The shapes of the tensors of a file. */
export interface Shapes {
  has(name: string): boolean
  /** The length of an axis, from the end where it is below 0. Throws MixlabError `weights` where there is none. */
  length(name: string, axis: number): number
}

/** What all families have. */
export interface Common {
  patch: [height: number, width: number]
  dim: number
  depth: number
}

/** Facts once all is settled that a family needs. */
export type ResolvedFacts = {
  [Name in 'activation' | 'eps' | 'gateEps' | 'heads' | 'size']: NonNullable<Facts[Name]>
} & Pick<Facts, 'pool'>

interface Family {
  /** A tensor that no other has. */
  mark: string
  stem: string
  /** Its first axis is as long as the hidden layer of a block. */
  hidden: string
  /** How many patches its pictures may have, the likely number first. */
  patches: (shapes: Shapes) => number[]
  /** Whether it has attention, whose heads no tensor shows. */
  hasHeads: boolean
  /** What its tensors hide, as it is where nothing says otherwise. */
  usual: (shapes: Shapes) => Facts
  block: (common: Common, shapes: Shapes, facts: ResolvedFacts) => Block
}

/** As timm has them. */
const USUAL = { activation: 'gelu', eps: 1e-6 } as const

const CHANNELS = 'blocks.0.mlp_channels.fc1.weight'
const mlpFamily = { stem: 'stem.proj.weight', hidden: CHANNELS, hasHeads: false }

/** The architectures that are known by their tensors; an entry here adds one. Names are those of timm. */
export const families: readonly Family[] = [
  {
    ...mlpFamily,
    mark: 'blocks.0.mlp_channels.gate.proj.weight',
    patches: ({ length }) => [length('blocks.0.mlp_channels.gate.proj.weight', -1)],
    usual: () => ({ ...USUAL, gateEps: 1e-5 }),
    block: (common, { has, length }, { activation, eps, gateEps }) => {
      const tiny = 'blocks.0.tiny_attn.qkv.weight'
      return gmlp({
        ...common,
        ...{ activation, eps, gateEps },
        ffn: length(CHANNELS, 0),
        ...(has(tiny) && { attention: length(tiny, 0) / 3, qkvBias: has('blocks.0.tiny_attn.qkv.bias') }),
      })
    },
  },
  {
    ...mlpFamily,
    mark: 'blocks.0.mlp_tokens.fc1.weight',
    patches: ({ length }) => [length('blocks.0.mlp_tokens.fc1.weight', 1)],
    usual: () => USUAL,
    block: (common, { length }, { activation, eps }) =>
      mixer({
        ...common,
        ...{ activation, eps },
        ffn: length(CHANNELS, 0),
        tokenRatio: (length('blocks.0.mlp_tokens.fc1.weight', 0) + 0.5) / common.dim, // which is rounded down
      }),
  },
  {
    ...mlpFamily,
    mark: 'blocks.0.linear_tokens.weight',
    patches: ({ length }) => [length('blocks.0.linear_tokens.weight', 0)],
    usual: () => ({ activation: USUAL.activation }),
    block: (common, { length }, { activation }) => resmlp({ ...common, activation, ffn: length(CHANNELS, 0) }),
  },
  {
    mark: 'blocks.0.attn.qkv.weight',
    stem: 'patch_embed.proj.weight',
    hidden: 'blocks.0.mlp.fc1.weight',
    patches: ({ has, length }) => {
      const positions = length('pos_embed', 1)
      return has('cls_token') ? [positions - 1, positions] : [positions]
    },
    hasHeads: true,
    usual: ({ has }) => ({ ...USUAL, ...(has('cls_token') && !has('fc_norm.weight') && { pool: 'token' as const }) }),
    block: (common, { has, length }, { activation, eps, heads, pool = 'mean', size }) => {
      const patches = (size[0] / common.patch[0]) * (size[1] / common.patch[1])
      return vitVariant({
        ...common,
        ...{ activation, eps, heads, pool },
        ffn: length('blocks.0.mlp.fc1.weight', 0),
        qkvBias: has('blocks.0.attn.qkv.bias'),
        classToken: has('cls_token'),
        positions: length('pos_embed', 1) === patches ? 'patches' : 'all',
        lastNorm: has('fc_norm.weight') ? 'fc_norm' : 'norm',
      })
    },
  },
]
