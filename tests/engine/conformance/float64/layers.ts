// The layers of the reference cases, from their equations; weights as PyTorch keeps them.
import { add, einsum, filled, gather, join, leaf, map, type Node, reshape } from './tape.ts'

const range = (length: number) => Array.from({ length }, (_, i) => i)

/** x with its axes in the order of `to`, e.g. `turn('bnd->bdn', x)`. */
export const turn = (axes: string, x: Node): Node => einsum(axes.replace('->', ',->'), x, filled([], 1))

export const scaled = (x: Node, by: number): Node =>
  map(
    x,
    (value) => value * by,
    () => by,
  )

/** y, whose axes are some of those of x, added along the others: `spread('bnd,d', x, bias)`. */
export function spread(axes: string, x: Node, y: Node): Node {
  const [all = '', some = ''] = axes.split(',')
  const others = [...all].filter((letter) => !some.includes(letter))
  const ones = filled(
    others.map((letter) => x.shape[all.indexOf(letter)] as number),
    1,
  )
  return add(x, einsum(`${some},${others.join('')}->${all}`, y, ones))
}

/** erf by a series whose terms are all positive: 2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!. */
export function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x)
  let [term, sum] = [x, x]
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

const normalDensity = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
const share = (x: number) => 0.5 * (1 + erf(x / Math.SQRT2))
const ROOT = Math.sqrt(2 / Math.PI)
const bent = (x: number) => Math.tanh(ROOT * (x + 0.044715 * x ** 3))

/** The forms of GELU and their derivatives, by the names of timm and transformers. */
const forms: Record<string, [f: (x: number) => number, slope: (x: number) => number]> = {
  gelu: [(x) => x * share(x), (x) => share(x) + x * normalDensity(x)],
  gelu_tanh: [
    (x) => 0.5 * x * (1 + bent(x)),
    (x) => 0.5 * (1 + bent(x)) + 0.5 * x * (1 - bent(x) ** 2) * ROOT * (1 + 3 * 0.044715 * x * x),
  ],
  relu: [(x) => Math.max(0, x), (x) => (x > 0 ? 1 : 0)],
}
forms.gelu_new = forms.gelu_tanh as (typeof forms)[string]

export function activate(x: Node, act: string): Node {
  const form = forms[act]
  if (!form) throw new Error(act)
  return map(x, ...form)
}

/** softmax over the last axis. */
export function softmax(x: Node): Node {
  const last = x.shape.at(-1) as number
  const rows = reshape(x, [x.values.length / last, last])
  const powers = map(rows, Math.exp, Math.exp)
  const sums = einsum('rn,n->r', powers, filled([last], 1))
  return reshape(einsum('rn,r->rn', powers, inverse(sums)), x.shape)
}

export const inverse = (x: Node): Node =>
  map(
    x,
    (value) => 1 / value,
    (value) => -1 / value ** 2,
  )

/** LayerNorm over the last axis, with the biased variance. */
export function layerNorm(x: Node, weight: Node, bias: Node, eps: number): Node {
  const last = x.shape.at(-1) as number
  const mean = filled([last], 1 / last)
  const rows = reshape(x, [x.values.length / last, last])
  const centred = spread('rd,r', rows, scaled(einsum('rd,d->r', rows, mean), -1))
  const variance = einsum('rd,d->r', einsum('rd,rd->rd', centred, centred), mean)
  const inverseRoot = map(
    variance,
    (value) => (value + eps) ** -0.5,
    (value) => -0.5 * (value + eps) ** -1.5,
  )
  const normed = einsum('rd,r->rd', centred, inverseRoot)
  return reshape(spread('rd,d', einsum('rd,d->rd', normed, weight), bias), x.shape)
}

/** weight x + bias over the last axis; `weight` is [out, in]. */
export function linear(x: Node, weight: Node, bias: Node | null): Node {
  const last = x.shape.at(-1) as number
  const y = einsum('rd,ed->re', reshape(x, [x.values.length / last, last]), weight)
  return reshape(bias ? spread('re,e', y, bias) : y, [...x.shape.slice(0, -1), weight.shape[0] as number])
}

/**
 * Windows of images [batch, channels, height, width], row by row, each a list by channel, row, column:
 * [batch, windows, channels * high * wide]. What lies outside of the image is 0.
 */
export function windows(x: Node, size: [number, number], stride: [number, number], padding = 0): Node {
  const [batch, channels, height, width] = x.shape as [number, number, number, number]
  const [high, wide] = size
  const rows = Math.floor((height + 2 * padding - high) / stride[0]) + 1
  const columns = Math.floor((width + 2 * padding - wide) / stride[1]) + 1
  const places: number[] = []
  for (const b of range(batch))
    for (const row of range(rows))
      for (const column of range(columns))
        for (const c of range(channels))
          for (const i of range(high))
            for (const j of range(wide)) {
              const [y, z] = [row * stride[0] + i - padding, column * stride[1] + j - padding]
              const inside = y >= 0 && y < height && z >= 0 && z < width
              places.push(inside ? ((b * channels + c) * height + y) * width + z : -1)
            }
  return gather(x, [batch, rows * columns, channels * high * wide], places)
}

/** A convolution whose stride is its kernel, [out, in, high, wide]: [batch, patches, out]. */
export function patches(images: Node, weight: Node, bias: Node): Node {
  const [out, channels, high, wide] = weight.shape as [number, number, number, number]
  return linear(windows(images, [high, wide], [high, wide]), reshape(weight, [out, channels * high * wide]), bias)
}

/** `token` [1, 1, dim] in front of the tokens of every sample. */
export function prepend(x: Node, token: Node): Node {
  const [batch, tokens, dim] = x.shape as [number, number, number]
  const places = range(batch).flatMap((b) => [
    ...range(dim),
    ...range(tokens * dim).map((i) => dim + b * tokens * dim + i),
  ])
  return gather(join(token, x), [batch, tokens + 1, dim], places)
}

/** Channels `from` to `to` of the last axis. */
export function channels(x: Node, from: number, to: number): Node {
  const last = x.shape.at(-1) as number
  const rows = x.values.length / last
  const places = range(rows).flatMap((row) => range(to - from).map((i) => row * last + from + i))
  return gather(x, [...x.shape.slice(0, -1), to - from], places)
}

export function firstToken(x: Node): Node {
  const [batch, tokens, dim] = x.shape as [number, number, number]
  return gather(
    x,
    [batch, dim],
    range(batch).flatMap((b) => range(dim).map((i) => b * tokens * dim + i)),
  )
}

export const meanToken = (x: Node): Node =>
  einsum('bnd,n->bd', x, filled([x.shape[1] as number], 1 / (x.shape[1] as number)))

/** Rows of a table, one for each id: [...shape, dim]. */
export function rows(table: Node, ids: ArrayLike<number>, shape: number[]): Node {
  const dim = table.shape[1] as number
  return gather(
    table,
    [...shape, dim],
    Array.from(ids).flatMap((id) => range(dim).map((i) => id * dim + i)),
  )
}

/**
 * Attention of `heads` heads. `scores` are added to those of q and k, [heads, tokens, tokens]; keys where `mask`,
 * [batch, tokens], is 0 get no weight.
 */
export function attention(
  qk: [Node, Node] | null,
  v: Node,
  heads: number,
  scores: Node | null = null,
  mask: ArrayLike<number> | null = null,
): Node {
  const [batch, tokens, dim] = v.shape as [number, number, number]
  const width = dim / heads
  const split = (x: Node) => reshape(x, [batch, tokens, heads, width])
  let all = filled([batch, heads, tokens, tokens], 0)
  if (qk) all = scaled(einsum('bihd,bjhd->bhij', split(qk[0]), split(qk[1])), 1 / Math.sqrt(width))
  if (scores) all = spread('bhij,hij', all, scores)
  if (mask) {
    const barred = Float64Array.from(mask, (value) => (value === 0 ? -700 : 0)) // exp(-700) is 0 beside 1
    all = spread('bhij,bj', all, leaf([batch, tokens], barred))
  }
  return reshape(einsum('bhij,bjhd->bihd', softmax(all), split(v)), [batch, tokens, dim])
}

/** softmax over tokens of x keys^T, divided by (1e-9 + its sum over slots), times values: x is [..., tokens, dim]. */
export function externalAttention(
  x: Node,
  [keys, keyBias]: [Node, Node | null],
  [values, valueBias]: [Node, Node | null],
): Node {
  const [tokens, dim] = x.shape.slice(-2) as [number, number]
  const rest = x.values.length / (tokens * dim)
  const scores = turn('rns->rsn', linear(reshape(x, [rest, tokens, dim]), keys, keyBias))
  const weights = softmax(scores)
  const slots = scores.shape[1] as number
  const sums = map(
    einsum('rsn,s->rn', weights, filled([slots], 1)),
    (value) => 1 / (1e-9 + value),
    (value) => -1 / (1e-9 + value) ** 2,
  )
  return reshape(linear(einsum('rsn,rn->rns', weights, sums), values, valueBias), x.shape)
}

/** The mean over the batch of -log softmax at the target, or sum(mask * loss) / sum(mask). */
export function crossEntropy(logits: Node, target: ArrayLike<number>, mask: ArrayLike<number> | null): Node {
  const classes = logits.shape.at(-1) as number
  const count = logits.values.length / classes
  const shares = softmax(reshape(logits, [count, classes]))
  const own = gather(
    shares,
    [count],
    Array.from(target, (label, i) => i * classes + label),
  )
  const weights = mask ? Float64Array.from(mask) : new Float64Array(count).fill(1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const losses = map(
    own,
    (value) => -Math.log(value),
    (value) => -1 / value,
  )
  return einsum(
    'i,i->',
    losses,
    leaf(
      [count],
      weights.map((weight) => weight / total),
    ),
  )
}
