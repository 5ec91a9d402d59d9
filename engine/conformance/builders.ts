import { MixlabError, suggest } from '../errors.ts'
import {
  amlp,
  bert,
  eamlp,
  external,
  externalUnit,
  ffOnly,
  gmlp,
  mixer,
  repmlpNet,
  resmlp,
  resmlpFolded,
  resnet,
  vit,
} from '../models/index.ts'
import type { Activation } from '../nn/layers/activation.ts'
import type { Gate } from '../nn/layers/spatialGating.ts'
import type { Block, Modality } from '../nn/types.ts'
import { type Names, names } from '../weights/names.ts'
import type { Case, Config } from './case.ts'

/** How to build the model of a case from its configuration. */
export interface Built {
  block: Block
  modality: Modality
  /** Classes, or size of the vocabulary. */
  outputs: number
  /** From the names of the file to ours, where they differ. */
  rename?: Names
}

const sizes = (config: Config) => ({ dim: config.number('dim'), depth: config.number('depth') })
const common = (config: Config) => ({ ...sizes(config), activation: activation(config) })
const normed = (config: Config) => ({ ...common(config), eps: config.number('norm_eps', 1e-6) })

function activation(config: Config): Activation {
  const forms: Record<string, Activation> = {
    gelu: 'gelu',
    gelu_tanh: 'gelu_tanh',
    gelu_new: 'gelu_tanh',
    relu: 'relu',
  }
  const act = config.text('act', 'gelu')
  if (forms[act]) return forms[act]
  throw new MixlabError('weights', 'config.act', `unknown activation '${act}'${suggest(act, Object.keys(forms))}`)
}

const patch = (config: Config) => config.sides('patch_size')
const image = (config: Config) => ({ modality: 'image', outputs: config.number('num_classes') }) as const
const features = (config: Config) => ({ modality: 'features', outputs: config.number('num_classes') }) as const
const text = (config: Config) => ({ modality: 'text', outputs: config.number('vocab_size') }) as const

type Builder = (config: Config) => Built

const timmFamilies: Record<string, Builder> = {
  gmlp: (config) => ({
    ...image(config),
    block: gmlp({
      ...normed(config),
      patch: patch(config),
      ffnRatio: config.number('mlp_ratio'),
      gateEps: config.number('gate_norm_eps', 1e-5),
    }),
  }),
  mixer: (config) => {
    const [tokenRatio = 0.5, ffnRatio = 4] = config.numbers('mlp_ratio')
    return { ...image(config), block: mixer({ ...normed(config), patch: patch(config), tokenRatio, ffnRatio }) }
  },
  resmlp: (config) => ({
    ...image(config),
    block: resmlp({ ...common(config), patch: patch(config), ffnRatio: config.number('mlp_ratio') }),
  }),
}

/** The entry `builder` of a case's metadata to the model. A new one is an entry here. */
const builders: Record<string, Builder> = {
  timm_mixer_family: (config) => {
    const family = config.text('family')
    const build = timmFamilies[family]
    if (build) return build(config)
    const known = suggest(family, Object.keys(timmFamilies))
    throw new MixlabError('weights', 'config.family', `unknown family '${family}'${known}`)
  },

  gmlp_equations: (config) => {
    const vision = config.text('modality') === 'vision'
    const block = gmlp({
      ...normed(config),
      ffn: config.number('ffn'),
      gate: config.text('variant') as Gate,
      gateEps: config.number('gate_norm_eps', 1e-5),
      spatial: config.text('spatial') as 'dense' | 'toeplitz',
      attention: config.number('attn_dim', 0),
      qkvBias: config.flag('qkv_bias', true),
      ...(vision ? { patch: patch(config) } : { headBias: config.flag('head_bias', false) }),
    })
    return { ...(vision ? image(config) : text(config)), block }
  },

  lucidrains_gmlp: (config) => ({
    ...text(config),
    rename: names.lucidrains,
    block: amlp({
      ...normed(config),
      ffn: config.number('dim') * config.number('ff_mult'),
      gateEps: config.number('gate_norm_eps', 1e-5),
      attention: config.number('attn_dim'),
      qkvBias: false,
      spatial: 'dense',
      tied: false,
    }),
  }),

  deit_resmlp: (config) => ({
    ...image(config),
    rename: names.deit,
    block: resmlp({ ...common(config), patch: patch(config), ffnRatio: config.number('mlp_ratio') }),
  }),

  resmlp_folded: (config) => ({
    ...image(config),
    block: resmlpFolded({ ...common(config), patch: patch(config), ffnRatio: config.number('mlp_ratio') }),
  }),

  repmlp: (config) => ({ ...image(config), block: repmlpBlock(config) }),
  repmlp_folded: (config) => ({ ...image(config), block: repmlpBlock(config)({ folded: true }) }),

  ff_only: (config) => {
    const [rows = 1, columns = 1] = config.numbers('position_grid')
    return {
      ...image(config),
      block: ffOnly({
        ...normed(config),
        patch: patch(config),
        ffnRatio: config.number('mlp_ratio'),
        positionGrid: [rows, columns],
      }),
    }
  },

  external_attention_tokens: (config) => ({
    ...features(config),
    block: external({ ...sizes(config), slots: config.number('slots') }),
  }),

  eanet_unit: (config) => ({
    ...features(config),
    rename: names.eanet,
    block: externalUnit({
      dim: config.number('dim'),
      depth: 1,
      slots: config.number('slots'),
      bnEps: config.number('bn_eps', 1e-5),
    }),
  }),

  eamlp_blocks: (config) => ({ ...features(config), block: eamlp(eamlpOptions(config)) }),

  eamlp: (config) => ({
    ...image(config),
    block: eamlp({
      ...eamlpOptions(config),
      stemEps: config.number('stem_norm_eps', 1e-5),
      stemDim: config.number('token_dim'),
      stemSlots: config.number('token_slots'),
    }),
  }),

  timm_vit: (config) => ({
    ...image(config),
    block: vit({
      ...normed(config),
      patch: patch(config),
      ffnRatio: config.number('mlp_ratio'),
      heads: config.number('heads'),
      qkvBias: config.flag('qkv_bias', true),
    }),
  }),

  bert: (config) => ({
    ...text(config),
    block: bert({
      dim: config.number('hidden'),
      depth: config.number('layers'),
      ffn: config.number('intermediate'),
      heads: config.number('heads'),
      activation: activation(config),
      eps: config.number('norm_eps', 1e-12),
      positions: config.number('max_positions'),
      segments: config.number('type_vocab'),
      relativeBuckets: config.number('relative_buckets', 0),
      relativeMaxDistance: config.number('relative_max_distance', 128) || 128,
      contentAttention: config.flag('content_attention', true),
    }),
  }),

  cifar_resnet: (config) => ({
    ...image(config),
    block: resnet({
      width: config.number('width'),
      blocksPerStage: config.number('blocks_per_stage'),
      bnEps: config.number('bn_eps', 1e-5),
    }),
  }),
}

function repmlpBlock(config: Config) {
  return repmlpNet({
    channels: config.numbers('channels'),
    blocks: config.numbers('num_blocks'),
    partition: config.numbers('partition'),
    shareSets: config.numbers('sharesets'),
    patch: patch(config),
    reparam: config.numbers('reparam_conv_k'),
    reduce: config.number('reduce'),
    ffnRatio: config.number('ffn_expand'),
  })
}

function eamlpOptions(config: Config) {
  return {
    ...common(config),
    eps: config.number('norm_eps', 1e-5),
    ffnRatio: config.number('mlp_ratio'),
    heads: config.number('heads'),
    widen: config.number('coef', 4),
    slots: config.number('slots'),
  }
}

/** The model of a case, from its metadata alone. Throws MixlabError for a builder or an option that is not known. */
export function buildModel({ name, metadata, config }: Case): Built {
  const builder = metadata.builder ?? ''
  const build = builders[builder]
  if (!build)
    throw new MixlabError('weights', name, `unknown builder '${builder}'${suggest(builder, Object.keys(builders))}`)
  return build(config)
}
