import { gmlp, mixer, repmlpNet, resmlp } from '../../models/index.ts'
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
const REPMLP = 'stages.0.0.repmlp_block'
/** More partitions of a map are not looked for. */
const MOST_PARTITIONS = 4096
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
    mark: `${REPMLP}.fc3.weight`,
    stem: 'conv_embedding.conv.weight',
    hidden: 'stages.0.0.ffn_block.ffn_fc1.conv.weight',
    // its first map is one partition, or several
    patches: ({ length }) =>
      Array.from({ length: MOST_PARTITIONS }, (_, i) => (i + 1) * length(`${REPMLP}.fc3.weight`, 1)),
    hasHeads: false,
    usual: () => ({ activation: USUAL.activation }),
    block: ({ patch, dim }, shapes, { activation, size }) => repmlpOf(shapes, { patch, dim, activation, size }),
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

/** A RepMLPNet whose partitions have the shape of its maps, or are squares. */
function repmlpOf(
  { has, length }: Shapes,
  { patch, dim, activation, size }: Pick<Common, 'patch' | 'dim'> & Pick<ResolvedFacts, 'activation' | 'size'>,
): Block {
  const count = (is: (i: number) => boolean) => {
    for (let i = 0; ; i++) if (!is(i)) return i
  }
  const stages = Array.from({ length: count((i) => has(`stages.${i}.0.prebn1.weight`)) }, (_, stage) => {
    const [fc3, gate] = [`stages.${stage}.0.repmlp_block.fc3.weight`, `stages.${stage}.0.repmlp_block.gp.fc1.weight`]
    const pixels = length(fc3, 1)
    const side = Math.floor(Math.sqrt(pixels))
    const isWhole = (size[0] / patch[0]) * (size[1] / patch[1]) === pixels * 4 ** stage
    return {
      channels: length(`stages.${stage}.0.prebn1.weight`, 0),
      blocks: count((i) => has(`stages.${stage}.${i}.prebn1.weight`)),
      partition: isWhole || side * side !== pixels ? ('map' as const) : side,
      shareSets: length(fc3, 0) / pixels,
      hidden: length(gate, 0),
    }
  })
  const whole = Array.from({ length: dim }, (_, i) => i + 1)
  const reduce = whole.find((by) => stages.every(({ channels, hidden }) => Math.floor(channels / by) === hidden))
  const sides = Array.from({ length: 32 }, (_, i) => 2 * i + 1) // those that kernels may have
  return repmlpNet({
    ...{ patch, activation },
    channels: stages.map(({ channels }) => channels),
    blocks: stages.map(({ blocks }) => blocks),
    partition: stages.map(({ partition }) => partition),
    shareSets: stages.map(({ shareSets }) => shareSets),
    reparam: sides.filter((side) => has(`${REPMLP}.repconv${side}.conv.weight`)),
    ...(reduce !== undefined && { reduce }),
    folded: has(`${REPMLP}.fc3.bias`),
    ffnRatio: length('stages.0.0.ffn_block.ffn_fc1.conv.weight', 0) / dim,
  })
}
