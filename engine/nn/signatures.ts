import { Tensor } from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { activations } from './layers/activation.ts'

/** The arguments of a function in their order, each by its name. */
export type Signature = Record<string, z.ZodType>

const is = (words: string, test: (given: unknown) => boolean) => z.custom(test, words)
const rank = (words: string, least: number, most = least) =>
  is(`a tensor ${words}`, (x) => x instanceof Tensor && x.rank >= least && x.rank <= most)

const rows = rank('[..., dim]', 1, 9)
const whole = rank('[batch, ...]', 1, 9)
const tokens = rank('[batch, tokens, dim]', 3)
const images = rank('[batch, height, width, channels]', 4)
const gridded = rank('[batch, height, width, channels] or [batch, tokens, dim]', 3, 4)
const ids = is('an int32 tensor of ids', (x) => x instanceof Tensor && x.dtype === 'int32')
const isTensors = (x: unknown) => Array.isArray(x) && x.length > 0 && x.every((each) => each instanceof Tensor)
const attended = is(
  'null, or two tensors [q, k], each [batch, tokens, dim]',
  (x) =>
    x === null || (isTensors(x) && (x as Tensor[]).length === 2 && (x as Tensor[]).every((each) => each.rank === 3)),
)
const anyShape = rank('of any shape', 0, 9)
const bools = is('a bool tensor, as greater(x, 0) gives', (x) => x instanceof Tensor && x.dtype === 'bool')
const operand = is('a tensor or a number', (x) => x instanceof Tensor || (typeof x === 'number' && !Number.isNaN(x)))
const places = is(
  'a list of indices, or an int32 tensor of them',
  (x) => (x instanceof Tensor && x.dtype === 'int32') || (Array.isArray(x) && x.every(Number.isInteger)),
)
/** What tfjs makes a tensor of. */
const value = is('a tensor or a number', (x) =>
  typeof x === 'number' ? !Number.isNaN(x) : x instanceof Tensor || Array.isArray(x) || ArrayBuffer.isView(x),
)

const [number, text, flag, size, eps] = [z.number(), z.string(), z.boolean(), z.int().min(0), z.number().min(0)]
const count = z.int().min(1)
const rate = z.number().min(0).lt(1)
const dropout = z.record(z.string(), rate.optional())
const weight = is('an initialiser, such as zeros or normal(0.02)', (x) => typeof x === 'function')
const bias = is('an initialiser or false', (x) => x === false || typeof x === 'function')
const isCount = (x: unknown) => Number.isInteger(x) && Number(x) > 0
const isPair = (x: unknown) => Array.isArray(x) && x.length === 2 && x.every(isCount)
const grid = is('two whole numbers, [rows, columns]', isPair)
const patch = is('a whole number, or [height, width]', (x) => isCount(x) || isPair(x))
const kernels = is('a list of odd kernel sizes, such as [1, 3]', (x) => Array.isArray(x) && x.every(isCount))
const windows = { stride: patch, grid }
const filters = { ...windows, dilation: patch, weight, bias }
const shape = is('a list of whole numbers', (x) => Array.isArray(x) && x.every(Number.isInteger))
const oneAxis = z.int().optional()
const axis = is('the number of an axis, or a list of them', (x) => [x].flat().every(Number.isInteger)).nullish()
const fans = z.object({ in: number, out: number })
const key = is('the key that the initialiser got', (x) => Array.isArray(x) && x.length === 2)

const code = is('a function', (x) => typeof x === 'function')

const all = (known: Signature) => z.strictObject({ name: text, ...known }).partial()
const options = (known: Signature) => all(known).optional()
const activation = z.literal(Object.keys(activations))
const kernelAxes = z.literal([0, 1, 2])
const structure = z.literal(['dense', 'toeplitz'])
const shiftAxis = is(
  'tokens, rows, columns or the number of an axis',
  (x) => Number.isInteger(x) || ['tokens', 'rows', 'columns'].includes(x as string),
)
const memory = { slots: count, bias: z.tuple([flag, flag]), weight, kernelAxes, dropout }
const named = { name: text, weight: weight.optional() }
const drawn = { size, fans, key }
const [two, reduced] = [
  { a: value, b: value },
  { x: value, axis, keepDims: flag.optional() },
]
const compared = { a: operand, b: operand }
const layout = z.object({}).loose()
const pooling = z
  .strictObject({ ...windows, kernel: patch, padding: z.literal(['same', 'valid']) })
  .partial()
  .optional()

/** What each function of the block language takes; those of tfjs in it, too. */
export const signatures: Record<string, Signature> = {
  ...{ constant: { value: number }, normal: { std: number }, uniform: { bound: number }, sinusoid: { dim: count } },
  ...{ zeros: { size }, ones: { size }, nearZero: drawn, xavierUniform: drawn },
  ...{ lecunNormal: drawn, kaimingNormal: drawn, torchDefault: drawn },

  activate: { x: anyShape, name: activation },
  affine: { x: rows, options: options({}) },
  layerScale: { x: rows, start: number, options: options({}) },
  attend: {
    ...{ qk: attended, v: tokens },
    options: options({ heads: count, bias: rank('[heads, tokens, tokens]', 3), dropout: rate, causal: flag }),
  },
  joinHeads: { x: rank('[batch, heads, tokens, width]', 4) },
  splitHeads: { x: tokens, heads: count },
  selfAttention: { x: tokens, options: options({ heads: count, weight, qkvBias: flag, dropout, causal: flag }) },
  tinyAttention: { x: tokens, size: count, units: count, options: options({ qkvBias: flag, dropout, causal: flag }) },
  batchNorm: { x: rows, options: options({ eps, momentum: z.number().min(0).max(1), weight }) },
  conv1d: {
    ...{ x: tokens, units: count },
    options: options({
      ...{ kernel: count, stride: count, dilation: count, groups: count, weight, bias },
      padding: z.literal(['same', 'causal', 'valid']),
    }),
  },
  conv2d: { x: gridded, units: count, options: options({ ...filters, kernel: count, groups: count, padding: size }) },
  depthwiseConv2d: { x: gridded, options: options({ ...filters, kernel: patch, sets: count }) },
  dense: {
    ...{ x: rows, units: count },
    options: options({ weight, bias, groups: count, kernelAxes, axis: z.literal(['tokens', 'hidden']) }),
  },
  dropout: { x: whole, rate: rate.optional() },
  embedding: { ids, count, dim: count, options: options({ weight }) },
  tiedLogits: { x: rows, table: text, count, bias: text.optional() },
  externalAttention: { x: rank('[..., tokens, dim]', 2, 9), options: options(memory) },
  multiHeadExternalAttention: { x: tokens, options: all({ ...memory, widen: count }).extend({ heads: count }) },
  layerNorm: { x: rows, options: options({ eps }) },
  mlp: { x: rows, hidden: count, options: options({ weight, bias, activation, dropout, axis: z.literal('tokens') }) },
  patchEmbed: { images, patch, dim: count, options: options({ weight, bias }) },
  patchMerge: { x: tokens, dim: count, options: options({ merge: patch, weight, eps }) },
  sidesOf: { patch },
  ...{ avgPool: { x: gridded, options: pooling }, maxPool: { x: gridded, options: pooling } },
  relativePositionBias: {
    ...{ tokens: count, heads: count },
    options: z.strictObject({ name: text, buckets: count, maxDistance: count }),
  },
  residual: { shortcut: whole, branch: whole },
  spatialGating: {
    x: tokens,
    options: options({ gate: text, spatial: structure, causal: flag, eps, plus: tokens, locality: kernels }),
  },
  tokenDense: {
    x: tokens,
    options: options({
      ...{ tokens: count, weight, bias, structure, causal: flag, hidden: flag },
      ...{ sets: count, kernelAxes, grid, locality: kernels, localScale: weight },
    }),
  },
  ...{ addPositions: { x: tokens, ...named }, prependToken: { x: tokens, ...named } },
  ...{ firstToken: { x: tokens }, meanToken: { x: rank('[batch, tokens, dim]', 2, 9) } },
  firstRows: { name: text, tokens: count, rows: count, dim: count, weight },
  resizedPositions: { name: text, grid, target: grid, dim: count, weight },
  unfold: { images, kernel: count, stride: count, padding: size },

  rmsNorm: { x: rows, options: options({ eps }) },
  rotary: {
    x: rank('[batch, heads, tokens, width]', 3, 4),
    options: z.strictObject({ base: z.number().positive() }).partial().optional(),
  },
  shift: {
    ...{ x: whole, by: z.int() },
    options: z.strictObject({ axis: shiftAxis, around: flag, grid }).partial().optional(),
  },
  ...{ scan: { a: operand, b: whole, options: z.strictObject({ axis: z.int(), reverse: flag }).partial().optional() } },
  ...{
    cumsum: { x: whole, axis: oneAxis },
    cumprod: { x: whole, axis: oneAxis },
    softmax: { x: whole, axis: oneAxis },
  },
  gather: { x: whole, indices: places, axis: oneAxis },
  lerp: { a: anyShape, b: anyShape, weight: operand },
  windows: { x: tokens, size: patch, run: code, options: z.strictObject({ grid }).partial().optional() },
  einsum: { equation: text, first: anyShape, second: anyShape.optional() },
  ...{ fourierMix: { x: tokens }, longConv: { x: tokens, filter: rank('[tokens, dim]', 2) } },
  ...{ silu: { x: anyShape }, hardSwish: { x: anyShape }, maximum: compared, minimum: compared },
  ...{
    greater: compared,
    greaterEqual: compared,
    less: compared,
    lessEqual: compared,
    equal: compared,
    notEqual: compared,
  },
  where: { condition: bools, ...compared },

  ...{ add: two, mul: two, sub: two, max: reduced, mean: reduced },
  ...{
    abs: { x: anyShape },
    cos: { x: anyShape },
    exp: { x: anyShape },
    sigmoid: { x: anyShape },
    sin: { x: anyShape },
    softplus: { x: anyShape },
    sqrt: { x: anyShape },
    square: { x: anyShape },
  },
  ...{ div: compared, sum: { ...reduced, x: anyShape } },
  ...{ relu: { x: value }, tanh: { x: value }, zerosLike: { x: value }, gelu: { x: anyShape } },
  concat: { tensors: is('a list of tensors', isTensors), axis: z.int().optional() },
  ...{ reshape: { x: value, shape }, transpose: { x: value, perm: shape.nullish() }, split: { x: rows, parts: count } },

  parameter: {
    ...{ name: text, shape, initialise: weight },
    options: z
      .strictObject({ layout, fans, decay: flag, trained: flag, tokenGrid: grid.nullable() })
      .partial()
      .optional(),
  },
  surrogate: { forward: code, backward: code },
  scope: { kind: text, name: text.optional(), body: code },
}
