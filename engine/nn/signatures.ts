import { Tensor } from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { activations } from './layers/activation.ts'

/** The arguments of a function in their order, each by its name. */
export type Signature = Record<string, z.ZodType>

const rank = (fewest: number, words: string, most = Number.POSITIVE_INFINITY) =>
  z.custom<Tensor>((x) => x instanceof Tensor && x.rank >= fewest && x.rank <= most, `a tensor ${words}`)

const anyShape = rank(0, 'of any shape')
const channels = rank(1, '[..., dim]')
const tokens = rank(3, '[batch, tokens, dim]', 3)
const images = rank(4, '[batch, height, width, channels]', 4)
const ids = z.custom<Tensor>((x) => x instanceof Tensor && x.dtype === 'int32', 'an int32 tensor of ids')
const perHead = rank(3, '[heads, tokens, tokens]', 3)

/** What tfjs makes a tensor of. */
const value = z.custom(
  (x) => x instanceof Tensor || (typeof x === 'number' ? !Number.isNaN(x) : Array.isArray(x) || ArrayBuffer.isView(x)),
  'a tensor or a number',
)
const tensors = z.custom(
  (x) => Array.isArray(x) && x.length > 0 && x.every((each) => each instanceof Tensor),
  'a list of tensors',
)

const number = z.number()
const text = z.string()
const flag = z.boolean()
const count = z.int().min(1)
const eps = z.number().min(0)
const called = <Given>(words: string) => z.custom<Given>((x) => typeof x === 'function', words)
const initialiser = called('an initialiser, such as zeros or normal(0.02)')
const orNone = z.custom((x) => x === false || typeof x === 'function', 'an initialiser or false')
const isCount = (x: unknown) => Number.isInteger(x) && Number(x) > 0
const pairOf = (words: string) => z.custom((x) => Array.isArray(x) && x.length === 2 && x.every(isCount), words)
const grid = pairOf('two whole numbers, [rows, columns]')
const patch = z.custom(
  (x) => isCount(x) || (Array.isArray(x) && x.length === 2 && x.every(isCount)),
  'a whole number, or [height, width]',
)
const axes = z.custom((x) => [x].flat().every(Number.isInteger), 'the number of an axis, or a list of them').nullish()
const shape = z.custom((x) => Array.isArray(x) && x.every(Number.isInteger), 'a list of whole numbers')
const attended = z.custom(
  (x) =>
    x === null || (Array.isArray(x) && x.length === 2 && x.every((each) => each instanceof Tensor && each.rank === 3)),
  'null, or the tensors [q, k], each [batch, tokens, dim]',
)
const rates = z.record(z.string(), z.number().min(0).lt(1).optional())
const options = (known: Signature) =>
  z
    .strictObject({ name: text, ...known })
    .partial()
    .optional()

const linear = { weight: initialiser, bias: orNone }
const external = {
  slots: count,
  bias: z.tuple([flag, flag]),
  weight: initialiser,
  kernelAxes: z.literal([0, 1, 2]),
  dropout: rates,
}
const fans = z.object({ in: number, out: number })
const key = z.custom((x) => Array.isArray(x) && x.length === 2, 'the key that the initialiser got')
const initial = { size: z.int().min(0), fans, key }
const filled = { size: z.int().min(0) }
const pair = { a: value, b: value }
const reduced = { x: value, axis: axes, keepDims: flag.optional() }

/** What each function of the block language takes; those of tfjs in it, too. */
export const signatures: Record<string, Signature> = {
  constant: { value: number },
  normal: { std: number },
  uniform: { bound: number },
  sinusoid: { dim: count },
  ...{ zeros: filled, ones: filled, nearZero: initial, xavierUniform: initial },
  ...{ lecunNormal: initial, kaimingNormal: initial, torchDefault: initial },

  activate: { x: anyShape, name: z.literal(Object.keys(activations)) },
  affine: { x: channels, options: options({}) },
  layerScale: { x: channels, start: number, options: options({}) },
  attend: {
    qk: attended,
    v: tokens,
    options: options({ heads: count, bias: perHead, dropout: number.min(0).lt(1) }),
  },
  joinHeads: { x: rank(4, '[batch, heads, tokens, width]', 4) },
  splitHeads: { x: tokens, heads: count },
  selfAttention: {
    x: tokens,
    options: options({ heads: count, weight: initialiser, qkvBias: flag, dropout: rates }),
  },
  tinyAttention: { x: tokens, size: count, units: count, options: options({ qkvBias: flag, dropout: rates }) },
  batchNorm: { x: channels, options: options({ eps, momentum: z.number().min(0).max(1) }) },
  conv2d: { x: images, units: count, options: options({ kernel: count, stride: patch, ...linear }) },
  dense: {
    x: channels,
    units: count,
    options: options({ ...linear, kernelAxes: z.literal([0, 1, 2]), axis: z.literal(['tokens', 'hidden']) }),
  },
  dropout: { x: rank(1, '[batch, ...]'), rate: number.min(0).lt(1).optional() },
  embedding: { ids, count, dim: count, options: options({ weight: initialiser }) },
  tiedLogits: { x: channels, table: text, count, bias: text.optional() },
  externalAttention: { x: rank(2, '[..., tokens, dim]'), options: options(external) },
  multiHeadExternalAttention: {
    x: tokens,
    options: z
      .strictObject({ name: text, ...external, widen: count })
      .partial()
      .extend({ heads: count }),
  },
  layerNorm: { x: channels, options: options({ eps }) },
  mlp: {
    x: channels,
    hidden: count,
    options: options({
      ...linear,
      activation: z.literal(Object.keys(activations)),
      dropout: rates,
      axis: z.literal('tokens'),
    }),
  },
  patchEmbed: { images, patch, dim: count, options: options({ weight: initialiser, bias: initialiser }) },
  sidesOf: { patch },
  relativePositionBias: {
    tokens: count,
    heads: count,
    options: z.strictObject({ name: text, buckets: count, maxDistance: count }),
  },
  residual: { shortcut: rank(1, '[batch, ...]'), branch: rank(1, '[batch, ...]') },
  spatialGating: {
    x: tokens,
    options: options({ gate: text, spatial: z.literal(['dense', 'toeplitz']), eps, plus: tokens }),
  },
  tokenDense: {
    x: tokens,
    options: options({ tokens: count, ...linear, structure: z.literal(['dense', 'toeplitz']), hidden: flag }),
  },
  addPositions: { x: tokens, name: text, weight: initialiser.optional() },
  firstRows: { name: text, tokens: count, rows: count, dim: count, weight: initialiser },
  firstToken: { x: tokens },
  meanToken: { x: rank(2, '[batch, tokens, dim]') },
  prependToken: { x: tokens, name: text, weight: initialiser.optional() },
  resizedPositions: { name: text, grid, target: grid, dim: count, weight: initialiser },
  unfold: { images, kernel: count, stride: count, padding: z.int().min(0) },

  ...{ add: pair, mul: pair, sub: pair, max: reduced, mean: reduced },
  ...{ relu: { x: value }, tanh: { x: value }, zerosLike: { x: value }, gelu: { x: anyShape } },
  concat: { tensors, axis: z.int().optional() },
  reshape: { x: value, shape },
  transpose: { x: value, perm: shape.nullish() },
  split: { x: channels, parts: count },

  parameter: {
    name: text,
    shape,
    initialise: initialiser,
    options: z
      .strictObject({
        layout: z.object({}).loose(),
        fans,
        decay: flag,
        trained: flag,
        tokenGrid: grid.nullable(),
      })
      .partial()
      .optional(),
  },
  scope: { kind: text, name: text.optional(), body: called('a function') },
}
