// Reference cases whose numbers come from models.ts.
import { type NamedTensor, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { crossEntropy } from './layers.ts'
import { type Config, type Input, models, type Output, type Parameters } from './models.ts'
import { backward, leaf, type Node } from './tape.ts'

/** What a model has computed, and the gradients of its loss. */
export interface Computed extends Output {
  loss: Node
  /** By name. */
  parameters: Map<string, Node>
  input: Node
}

/** The model of a builder, forward and backward. `given` are the parameters, by name and shape. */
export function compute(
  builder: string,
  config: object,
  given: (name: string, shape: number[]) => ArrayLike<number>,
  input: Input,
  target: ArrayLike<number>,
  lossMask: ArrayLike<number> | null,
): Computed {
  const parameters = new Map<string, Node>()
  const p: Parameters = (name, shape) => {
    const known = parameters.get(name) ?? leaf(shape, given(name, shape))
    parameters.set(name, known)
    return known
  }
  const model = models[builder]
  if (!model) throw new Error(builder)
  const output = model(p, config as Config, input)
  const loss = crossEntropy(output.logits, target, lossMask)
  backward(loss)
  return { ...output, loss, parameters, input: input.x }
}

/** Numbers of a name: between -1 and 1, in float32. */
function draws(name: string): () => number {
  let state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.fround(((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1)
  }
}

/** Float32 values of about unit gain; scales of norms are around 1. */
function drawn(name: string, shape: number[]): Float32Array {
  const draw = draws(name)
  const length = shape.reduce((product, each) => product * each, 1)
  const inputs = shape.length > 1 ? length / (shape[0] as number) : 4
  const centre = shape.length === 1 && /norm\d?\.weight|alpha|ls\d/i.test(name) ? 1 : 0
  return Float32Array.from({ length }, () => centre + draw() * Math.sqrt(3 / Math.max(1, inputs)))
}

export interface Wanted {
  name: string
  builder: string
  config: Record<string, unknown>
}

const BATCH = 2

/** A reference case as a file, as those in tests/golden. */
export function writeCase({ name, builder, config }: Wanted): Uint8Array {
  const text = 'vocab_size' in config
  const shape = text
    ? [BATCH, config.seq_len as number]
    : [BATCH, config.in_chans as number, ...(config.image_size as number[])]
  const draw = draws(name)
  const length = shape.reduce((product, each) => product * each, 1)
  const whole = (most: number) => Math.min(most - 1, Math.floor(((draw() + 1) / 2) * most))
  const input = Float32Array.from({ length }, () => (text ? whole(config.vocab_size as number) : 1.5 * draw()))
  const ids = (count: number, most: number) => Int32Array.from({ length: count }, () => whole(most))
  const target = text ? ids(length, config.vocab_size as number) : ids(BATCH, config.num_classes as number)
  const types = builder === 'bert' ? ids(length, config.type_vocab as number) : null
  const mask = config.padding ? Int32Array.from({ length }, (_, i) => (i === length - 1 ? 0 : 1)) : null
  const lossMask = text ? Float32Array.from({ length }, (_, i) => (i % 3 === 0 ? 0 : 1)) : null
  const computed = compute(builder, config, drawn, { x: leaf(shape, input), types, mask }, target, lossMask)

  const stored = (tensor: string, { shape }: Node, values: Float64Array): NamedTensor => {
    return { name: tensor, shape, values: Float32Array.from(values) }
  }
  const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const trained = [...computed.parameters].filter(([each]) => builder !== 'eamlp' || each !== 'pos_embed')
  const scale = Math.max(...trained.map(([, { grad }]) => largest(grad)))
  const zero = trained.filter(([, { grad }]) => largest(grad) < 1e-12 * scale).map(([each]) => each)
  const [before, after] = computed.block
  const tensors: NamedTensor[] = [
    ...[...computed.parameters].map(([each, node]) => stored(`param.${each}`, node, node.values)),
    ...trained.map(([each, node]) => stored(`grad.${each}`, node, node.grad)),
    stored('output', computed.logits, computed.logits.values),
    stored('loss', computed.loss, computed.loss.values),
    stored('block0.input', before, before.values),
    stored('block0.output', after, after.values),
    { name: 'target', shape: text ? shape : [BATCH], values: target },
    ...(text
      ? [{ name: 'tokens', shape, values: Int32Array.from(input) }]
      : [{ name: 'input', shape, values: input }, stored('input.grad', computed.input, computed.input.grad)]),
    ...(types ? [{ name: 'token_type_ids', shape, values: types }] : []),
    ...(mask ? [{ name: 'attention_mask', shape, values: mask }] : []),
    ...(lossMask ? [{ name: 'loss_mask', shape, values: lossMask }] : []),
  ]
  const metadata = { kind: 'model', architecture: `${builder}, float64`, builder, config: JSON.stringify(config) }
  return writeSafetensors(tensors, { ...metadata, zero_gradient: JSON.stringify(zero) })
}

const wide = { image_size: [8, 12], in_chans: 3, patch_size: [4, 2], num_classes: 5 }
const high = { image_size: [12, 8], in_chans: 2, patch_size: [2, 4], num_classes: 4 }
const vision = { modality: 'vision', dim: 6, ffn: 12, depth: 2, spatial: 'dense', attn_dim: null }
const bert = {
  ...{ content_attention: true, relative_buckets: 0, relative_max_distance: 0, vocab_size: 13, seq_len: 7 },
  ...{ hidden: 8, layers: 2, heads: 2, intermediate: 12, max_positions: 9, type_vocab: 2 },
}

/** Patches that are not square, both forms of GELU, and an eps of its own at every place that has one. */
export const wanted: Wanted[] = [
  {
    name: 'gmlp_wide',
    builder: 'timm_mixer_family',
    config: {
      family: 'gmlp',
      dim: 6,
      mlp_ratio: 2,
      depth: 2,
      act: 'gelu_tanh',
      norm_eps: 0.05,
      gate_norm_eps: 0.3,
      ...wide,
    },
  },
  {
    name: 'mixer_high',
    builder: 'timm_mixer_family',
    config: { family: 'mixer', dim: 6, mlp_ratio: [0.5, 2], depth: 2, act: 'gelu', norm_eps: 0.1, ...high },
  },
  {
    name: 'resmlp_wide',
    builder: 'timm_mixer_family',
    config: { family: 'resmlp', dim: 6, mlp_ratio: 2, depth: 2, act: 'gelu_tanh', ...wide },
  },
  {
    name: 'gmlp_additive_high',
    builder: 'gmlp_equations',
    config: { ...vision, variant: 'additive', act: 'gelu', norm_eps: 0.2, gate_norm_eps: 0.02, ...high },
  },
  {
    name: 'amlp_wide',
    builder: 'gmlp_equations',
    config: {
      ...{ ...vision, variant: 'split', attn_dim: 4, qkv_bias: true, act: 'gelu_tanh' },
      ...{ norm_eps: 0.02, gate_norm_eps: 0.2, ...wide },
    },
  },
  {
    name: 'gmlp_text_tanh',
    builder: 'gmlp_equations',
    config: {
      ...{ modality: 'text', variant: 'split', spatial: 'toeplitz', attn_dim: null, vocab_size: 11, seq_len: 6 },
      ...{ dim: 6, ffn: 12, depth: 2, head_bias: true, act: 'gelu_tanh', norm_eps: 0.1, gate_norm_eps: 0.01 },
    },
  },
  {
    name: 'ff_only_wide',
    builder: 'ff_only',
    config: { dim: 6, depth: 2, mlp_ratio: 2, act: 'gelu_tanh', norm_eps: 0.1, position_grid: [2, 6], ...wide },
  },
  {
    name: 'vit_high',
    builder: 'timm_vit',
    config: { dim: 6, heads: 2, depth: 2, mlp_ratio: 2, qkv_bias: true, act: 'gelu_tanh', norm_eps: 0.1, ...high },
  },
  {
    name: 'eamlp_two_eps',
    builder: 'eamlp',
    config: {
      ...{ dim: 6, heads: 2, coef: 4, slots: 5, token_slots: 4, token_dim: 3, depth: 2, mlp_ratio: 2, act: 'gelu' },
      ...{ norm_eps: 0.01, stem_norm_eps: 0.2, image_size: [16, 32], in_chans: 1, num_classes: 4 },
    },
  },
  { name: 'bert_tanh', builder: 'bert', config: { ...bert, act: 'gelu_new', norm_eps: 0.05 } },
  { name: 'bert_exact_padded', builder: 'bert', config: { ...bert, padding: true, act: 'gelu', norm_eps: 1e-3 } },
]
