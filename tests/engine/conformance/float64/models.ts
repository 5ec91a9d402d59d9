// The models of the reference cases, from their equations; see layers.ts.
import {
  activate,
  attention,
  channels,
  externalAttention,
  firstToken,
  layerNorm,
  linear,
  meanToken,
  patches,
  prepend,
  rows,
  spread,
  turn,
  windows,
} from './layers.ts'
import { add, einsum, gather, type Node, reshape } from './tape.ts'

/** The parameter of a name; its shape is that of PyTorch. */
export type Parameters = (name: string, shape: number[]) => Node

/** What a case is built from; only the keys of its builder are there. */
export interface Config {
  family: string
  modality: string
  variant: string
  spatial: string
  act: string
  dim: number
  depth: number
  ffn: number
  attn_dim: number | null
  qkv_bias: boolean
  head_bias: boolean
  mlp_ratio: number | [number, number]
  norm_eps: number
  gate_norm_eps: number
  stem_norm_eps: number
  heads: number
  patch_size: [number, number]
  num_classes: number
  vocab_size: number
  coef: number
  slots: number
  token_slots: number
  token_dim: number
  hidden: number
  layers: number
  intermediate: number
  max_positions: number
  type_vocab: number
  relative_buckets: number
  relative_max_distance: number
  content_attention: boolean
}

/** The input of a model: images or features as a tensor, or the ids of a text. */
export interface Input {
  x: Node
  types: ArrayLike<number> | null
  mask: ArrayLike<number> | null
}

/** What a model computes; `block` is what the first block got and gave. */
export interface Output {
  logits: Node
  block: [Node, Node]
}

type Model = (p: Parameters, config: Config, input: Input) => Output

const norm = (p: Parameters, name: string, x: Node, eps: number) => {
  const last = x.shape.at(-1) as number
  return layerNorm(x, p(`${name}.weight`, [last]), p(`${name}.bias`, [last]), eps)
}

const dense = (p: Parameters, name: string, x: Node, out: number, bias = true) =>
  linear(x, p(`${name}.weight`, [out, x.shape.at(-1) as number]), bias ? p(`${name}.bias`, [out]) : null)

const mlp = (p: Parameters, name: string, x: Node, hidden: number, act: string) =>
  dense(p, `${name}.fc2`, activate(dense(p, `${name}.fc1`, x, hidden), act), x.shape.at(-1) as number)

const affine = (p: Parameters, name: string, x: Node) => {
  const dim = x.shape.at(-1) as number
  const alpha = reshape(p(`${name}.alpha`, [1, 1, dim]), [dim])
  return spread('bnd,d', einsum('bnd,d->bnd', x, alpha), reshape(p(`${name}.beta`, [1, 1, dim]), [dim]))
}

const embed = (p: Parameters, name: string, images: Node, { dim, patch_size }: Config) =>
  patches(images, p(`${name}.weight`, [dim, images.shape[1] as number, ...patch_size]), p(`${name}.bias`, [dim]))

/** Runs the blocks one after the other. */
function blocks(x: Node, depth: number, block: (i: number, x: Node) => Node): { x: Node; block: [Node, Node] } {
  const all = [x]
  for (let i = 0; i < depth; i++) all.push(block(i, all[i] as Node))
  return { x: all.at(-1) as Node, block: [all[0] as Node, all[1] as Node] }
}

/** W over tokens, [n, n]; a Toeplitz matrix has w[(n - 1) + (j - i)] at i, j. */
function mixing(p: Parameters, name: string, tokens: number, spatial: string): Node {
  if (spatial !== 'toeplitz') return p(`${name}.weight`, [tokens, tokens])
  const places = Array.from(
    { length: tokens * tokens },
    (_, at) => tokens - 1 + (at % tokens) - Math.floor(at / tokens),
  )
  return gather(p(`${name}.toeplitz`, [2 * tokens - 1]), [tokens, tokens], places)
}

function gmlpBlock(p: Parameters, config: Config, at: string, x: Node): Node {
  const { dim, ffn, act, norm_eps, gate_norm_eps, variant, spatial, attn_dim, qkv_bias } = config
  const gate = `${at}.mlp_channels.gate`
  const h = norm(p, `${at}.norm`, x, norm_eps)
  const z = activate(dense(p, `${at}.mlp_channels.fc1`, h, ffn), act)
  const width = variant === 'split' ? ffn / 2 : ffn
  const [z1, z2] = variant === 'split' ? [channels(z, 0, width), channels(z, width, ffn)] : [z, z]
  const tokens = x.shape[1] as number
  const mixed = einsum(
    'ij,bjd->bid',
    mixing(p, `${gate}.proj`, tokens, spatial),
    norm(p, `${gate}.norm`, z2, gate_norm_eps),
  )
  let f = spread('bid,i', mixed, p(`${gate}.proj.bias`, [tokens]))
  if (attn_dim) {
    const qkv = dense(p, `${at}.tiny_attn.qkv`, h, 3 * attn_dim, qkv_bias)
    const [q, k, v] = [0, 1, 2].map((i) => channels(qkv, i * attn_dim, (i + 1) * attn_dim)) as [Node, Node, Node]
    f = add(f, dense(p, `${at}.tiny_attn.out`, attention([q, k], v, 1), width))
  }
  const product = () => einsum('bnd,bnd->bnd', z1, f)
  const s = variant === 'linear' ? f : variant === 'additive' ? add(z1, f) : product()
  return add(x, dense(p, `${at}.mlp_channels.fc2`, s, dim))
}

const gmlp: Model = (p, config, { x: input }) => {
  const text = config.modality === 'text'
  const { dim, depth, norm_eps, vocab_size, num_classes } = config
  const table = text ? p('embed.weight', [vocab_size, dim]) : null
  const first = table ? rows(table, input.values, input.shape) : embed(p, 'stem.proj', input, config)
  const { x, block } = blocks(first, depth, (i, x) => gmlpBlock(p, config, `blocks.${i}`, x))
  const y = norm(p, 'norm', x, norm_eps)
  if (!table) return { logits: dense(p, 'head', meanToken(y), num_classes), block }
  return { logits: linear(y, table, config.head_bias ? p('head.bias', [vocab_size]) : null), block }
}

const mixer: Model = (p, config, { x: input }) => {
  const { dim, depth, act, norm_eps, num_classes } = config
  const [tokenRatio, ratio] = config.mlp_ratio as [number, number]
  const { x, block } = blocks(embed(p, 'stem.proj', input, config), depth, (i, x) => {
    const at = `blocks.${i}`
    const across = turn('bnd->bdn', norm(p, `${at}.norm1`, x, norm_eps))
    const y = add(x, turn('bdn->bnd', mlp(p, `${at}.mlp_tokens`, across, Math.trunc(tokenRatio * dim), act)))
    return add(y, mlp(p, `${at}.mlp_channels`, norm(p, `${at}.norm2`, y, norm_eps), Math.trunc(ratio * dim), act))
  })
  return { logits: dense(p, 'head', meanToken(norm(p, 'norm', x, norm_eps)), num_classes), block }
}

const resmlp: Model = (p, config, { x: input }) => {
  const { dim, depth, act, num_classes } = config
  const { x, block } = blocks(embed(p, 'stem.proj', input, config), depth, (i, x) => {
    const at = `blocks.${i}`
    const across = turn('bnd->bdn', affine(p, `${at}.norm1`, x))
    const mixed = turn('bdn->bnd', dense(p, `${at}.linear_tokens`, across, x.shape[1] as number))
    const y = add(x, einsum('bnd,d->bnd', mixed, p(`${at}.ls1`, [dim])))
    const hidden = Math.trunc((config.mlp_ratio as number) * dim)
    const z = mlp(p, `${at}.mlp_channels`, affine(p, `${at}.norm2`, y), hidden, act)
    return add(y, einsum('bnd,d->bnd', z, p(`${at}.ls2`, [dim])))
  })
  return { logits: dense(p, 'head', meanToken(affine(p, 'norm', x)), num_classes), block }
}

/** Its table of positions has as many rows and columns as there are patches. */
const ffOnly: Model = (p, config, { x: images }) => {
  const { dim, depth, act, norm_eps, num_classes, patch_size } = config
  const ratio = config.mlp_ratio as number
  const [down, across] = [0, 1].map((axis) => (images.shape[2 + axis] as number) / (patch_size[axis] as number))
  const table = p('pos_encoding.pos_embed', [1, dim, down as number, across as number])
  const places = turn('dn->nd', reshape(table, [dim, (down as number) * (across as number)]))
  const embedded = spread('bnd,nd', embed(p, 'patch_embed.proj', images, config), places)
  const own = add(p('cls_token', [1, 1, dim]), p('pos_encoding.cls_pos_embed', [1, 1, dim]))
  const { x, block } = blocks(prepend(embedded, own), depth, (i, x) => {
    const at = `blocks.${i}`
    const y = add(x, mlp(p, `${at}.mlp1`, norm(p, `${at}.norm1`, x, norm_eps), Math.trunc(ratio * dim), act))
    const turned = norm(p, `${at}.norm2`, turn('bnd->bdn', y), norm_eps)
    const hidden = Math.trunc(ratio * (x.shape[1] as number))
    return add(y, turn('bdn->bnd', mlp(p, `${at}.mlp2`, turned, hidden, act)))
  })
  return { logits: dense(p, 'head', firstToken(norm(p, 'norm', x, norm_eps)), num_classes), block }
}

const vit: Model = (p, config, { x: images }) => {
  const { dim, depth, act, norm_eps, num_classes, heads, qkv_bias } = config
  const embedded = prepend(embed(p, 'patch_embed.proj', images, config), p('cls_token', [1, 1, dim]))
  const tokens = embedded.shape[1] as number
  const placed = spread('bnd,nd', embedded, reshape(p('pos_embed', [1, tokens, dim]), [tokens, dim]))
  const { x, block } = blocks(placed, depth, (i, x) => {
    const at = `blocks.${i}`
    const qkv = dense(p, `${at}.attn.qkv`, norm(p, `${at}.norm1`, x, norm_eps), 3 * dim, qkv_bias)
    const [q, k, v] = [0, 1, 2].map((j) => channels(qkv, j * dim, (j + 1) * dim)) as [Node, Node, Node]
    const y = add(x, dense(p, `${at}.attn.proj`, attention([q, k], v, heads), dim))
    const hidden = Math.trunc((config.mlp_ratio as number) * dim)
    return add(y, mlp(p, `${at}.mlp`, norm(p, `${at}.norm2`, y, norm_eps), hidden, act))
  })
  return { logits: dense(p, 'head', firstToken(norm(p, 'norm', x, norm_eps)), num_classes), block }
}

/** A module of the stem of EAMLP; its GELU is the exact one in the authors' code. */
function stemModule(p: Parameters, at: string, x: Node, config: Config): Node {
  const { token_dim: dim, token_slots: slots, stem_norm_eps: eps } = config
  const q = dense(p, `${at}.attn.q_linear`, norm(p, `${at}.norm1`, x, eps), dim)
  const attended = externalAttention(
    q,
    [p(`${at}.attn.linear_0.weight`, [slots, dim]), null],
    [p(`${at}.attn.linear_1.weight`, [dim, slots]), p(`${at}.attn.linear_1.bias`, [dim])],
  )
  const y = add(q, dense(p, `${at}.attn.proj`, attended, dim))
  return add(y, mlp(p, `${at}.mlp`, norm(p, `${at}.norm2`, y, eps), dim, 'gelu'))
}

const eamlp: Model = (p, config, { x: images }) => {
  const { dim, depth, act, norm_eps, num_classes, heads, coef, slots } = config
  const batch = images.shape[0] as number
  const path = 'tokens_to_token'
  let [high, wide] = images.shape.slice(2) as [number, number]
  const half = (by: number) => {
    high = Math.ceil(high / by)
    wide = Math.ceil(wide / by)
  }
  let x = windows(images, [7, 7], [4, 4], 2)
  half(4)
  for (const name of ['attention1', 'attention2']) {
    const y = stemModule(p, `${path}.${name}`, x, config)
    const image = reshape(turn('bnd->bdn', y), [batch, y.shape[2] as number, high, wide])
    x = windows(image, [3, 3], [2, 2], 1)
    half(2)
  }
  const embedded = prepend(dense(p, `${path}.project`, x, dim), p('cls_token', [1, 1, dim]))
  const tokens = embedded.shape[1] as number
  const placed = spread('bnd,nd', embedded, reshape(p('pos_embed', [1, tokens, dim]), [tokens, dim]))
  const all = blocks(placed, depth, (i, x) => {
    const at = `blocks.${i}`
    const width = dim / heads
    const wider = dense(p, `${at}.attn.trans_dims`, norm(p, `${at}.norm1`, x, norm_eps), coef * dim)
    const apart = turn('bnhd->bhnd', reshape(wider, [batch, tokens, coef * heads, width]))
    const attended = externalAttention(
      apart,
      [p(`${at}.attn.linear_0.weight`, [slots, width]), p(`${at}.attn.linear_0.bias`, [slots])],
      [p(`${at}.attn.linear_1.weight`, [width, slots]), p(`${at}.attn.linear_1.bias`, [width])],
    )
    const joined = reshape(turn('bhnd->bnhd', attended), [batch, tokens, coef * dim])
    const y = add(x, dense(p, `${at}.attn.proj`, joined, dim))
    const hidden = Math.trunc((config.mlp_ratio as number) * dim)
    return add(y, mlp(p, `${at}.mlp`, norm(p, `${at}.norm2`, y, norm_eps), hidden, act))
  })
  const logits = dense(p, 'head', firstToken(norm(p, 'norm', all.x, norm_eps)), num_classes)
  return { logits, block: all.block }
}

/** The T5 bucket of key - query, bidirectional. */
function bucket(distance: number, buckets: number, most: number): number {
  const half = buckets / 2
  const [away, exact] = [Math.abs(distance), half / 2]
  const far = exact + Math.trunc((Math.log(away / exact) / Math.log(most / exact)) * (half - exact))
  return (distance > 0 ? half : 0) + (away < exact ? away : Math.min(far, half - 1))
}

const bert: Model = (p, config, { x: ids, types, mask }) => {
  const { hidden: dim, layers, heads, intermediate, act, norm_eps: eps, vocab_size, relative_buckets } = config
  const [, tokens] = ids.shape as [number, number]
  const path = 'bert.embeddings'
  const table = p(`${path}.word_embeddings.weight`, [vocab_size, dim])
  const words = rows(table, ids.values, ids.shape)
  const positions = p(`${path}.position_embeddings.weight`, [config.max_positions, dim])
  const segments = p(`${path}.token_type_embeddings.weight`, [config.type_vocab, dim])
  const segment = rows(segments, types ?? new Int32Array(ids.values.length), ids.shape)
  const counts = Array.from({ length: tokens }, (_, i) => i)
  const placed = spread('bnd,nd', add(words, segment), rows(positions, counts, [tokens]))
  const { x, block } = blocks(norm(p, `${path}.LayerNorm`, placed, eps), layers, (i, x) => {
    const at = `bert.encoder.layer.${i}`
    const project = (name: string) => dense(p, `${at}.attention.self.${name}`, x, dim)
    let scores: Node | null = null
    if (relative_buckets > 0) {
      const biases = p(`${at}.attention.self.relative_attention_bias.weight`, [relative_buckets, heads])
      const places = counts.flatMap((query) =>
        counts.map((key) => bucket(key - query, relative_buckets, config.relative_max_distance)),
      )
      scores = turn('ijh->hij', rows(biases, places, [tokens, tokens]))
    }
    const qk: [Node, Node] | null = config.content_attention ? [project('query'), project('key')] : null
    const attended = attention(qk, project('value'), heads, scores, mask)
    const y = norm(
      p,
      `${at}.attention.output.LayerNorm`,
      add(x, dense(p, `${at}.attention.output.dense`, attended, dim)),
      eps,
    )
    const h = activate(dense(p, `${at}.intermediate.dense`, y, intermediate), act)
    return norm(p, `${at}.output.LayerNorm`, add(y, dense(p, `${at}.output.dense`, h, dim)), eps)
  })
  const head = 'cls.predictions'
  const h = activate(dense(p, `${head}.transform.dense`, x, dim), act)
  const y = norm(p, `${head}.transform.LayerNorm`, h, eps)
  return { logits: linear(y, table, p(`${head}.bias`, [vocab_size])), block }
}

const families: Record<string, Model> = { mixer, resmlp }

/** The models by the entry `builder` of a case. */
export const models: Record<string, Model> = {
  timm_mixer_family: (p, config, input) => {
    if (config.family !== 'gmlp') return (families[config.family] as Model)(p, config, input)
    const ffn = Math.trunc((config.mlp_ratio as number) * config.dim)
    return gmlp(p, { ...config, ffn, variant: 'split', spatial: 'dense', attn_dim: null, modality: 'vision' }, input)
  },
  gmlp_equations: gmlp,
  ff_only: ffOnly,
  timm_vit: vit,
  eamlp,
  bert,
}
