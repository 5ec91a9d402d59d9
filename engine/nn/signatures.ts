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
const ids = is('an int32 tensor of ids', (x) => x instanceof Tensor && x.dtype === 'int32')
const isTensors = (x: unknown) => Array.isArray(x) && x.length > 0 && x.every((each) => each instanceof Tensor)
const attended = is(
  'null, or two tensors [q, k], each [batch, tokens, dim]',
  (x) =>
    x === null || (isTensors(x) && (x as Tensor[]).length === 2 && (x as Tensor[]).every((each) => each.rank === 3)),
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
const shape = is('a list of whole numbers', (x) => Array.isArray(x) && x.every(Number.isInteger))
const axis = is('the number of an axis, or a list of them', (x) => [x].flat().every(Number.isInteger)).nullish()
const fans = z.object({ in: number, out: number })
const key = is('the key that the initialiser got', (x) => Array.isArray(x) && x.length === 2)

const code = is('a function', (x) => typeof x === 'function')

const all = (known: Signature) => z.strictObject({ name: text, ...known }).partial()
const options = (known: Signature) => all(known).optional()
const activation = z.literal(Object.keys(activations))
const kernelAxes = z.literal([0, 1, 2])
const structure = z.literal(['dense', 'toeplitz'])
const memory = { slots: count, bias: z.tuple([flag, flag]), weight, kernelAxes, dropout }
const named = { name: text, weight: weight.optional() }
const drawn = { size, fans, key }
const [two, reduced] = [
  { a: value, b: value },
  { x: value, axis, keepDims: flag.optional() },
]
const layout = z.object({}).loose()

/** What each function of the block language takes; those of tfjs in it, too. */
export const signatures: Record<string, Signature> = {
  ...{ constant: { value: number }, normal: { std: number }, uniform: { bound: number }, sinusoid: { dim: count } },
  ...{ zeros: { size }, ones: { size }, nearZero: drawn, xavierUniform: drawn },
  ...{ lecunNormal: drawn, kaimingNormal: drawn, torchDefault: drawn },

  activate: { x: rank('of any shape', 0, 9), name: activation },
  affine: { x: rows, options: options({}) },
  layerScale: { x: rows, start: number, options: options({}) },
  attend: {
    ...{ qk: attended, v: tokens },
    options: options({ heads: count, bias: rank('[heads, tokens, tokens]', 3), dropout: rate }),
  },
  joinHeads: { x: rank('[batch, heads, tokens, width]', 4) },
  splitHeads: { x: tokens, heads: count },
  selfAttention: { x: tokens, options: options({ heads: count, weight, qkvBias: flag, dropout }) },
  tinyAttention: { x: tokens, size: count, units: count, options: options({ qkvBias: flag, dropout }) },
  batchNorm: { x: rows, options: options({ eps, momentum: z.number().min(0).max(1) }) },
  conv2d: { x: images, units: count, options: options({ kernel: count, stride: patch, weight, bias }) },
  dense: {
    ...{ x: rows, units: count },
    options: options({ weight, bias, kernelAxes, axis: z.literal(['tokens', 'hidden']) }),
  },
  dropout: { x: whole, rate: rate.optional() },
  embedding: { ids, count, dim: count, options: options({ weight }) },
  tiedLogits: { x: rows, table: text, count, bias: text.optional() },
  externalAttention: { x: rank('[..., tokens, dim]', 2, 9), options: options(memory) },
  multiHeadExternalAttention: { x: tokens, options: all({ ...memory, widen: count }).extend({ heads: count }) },
  layerNorm: { x: rows, options: options({ eps }) },
  mlp: { x: rows, hidden: count, options: options({ weight, bias, activation, dropout, axis: z.literal('tokens') }) },
  patchEmbed: { images, patch, dim: count, options: options({ weight, bias: weight }) },
  sidesOf: { patch },
  relativePositionBias: {
    ...{ tokens: count, heads: count },
    options: z.strictObject({ name: text, buckets: count, maxDistance: count }),
  },
  residual: { shortcut: whole, branch: whole },
  spatialGating: { x: tokens, options: options({ gate: text, spatial: structure, eps, plus: tokens }) },
  tokenDense: { x: tokens, options: options({ tokens: count, weight, bias, structure, hidden: flag }) },
  ...{ addPositions: { x: tokens, ...named }, prependToken: { x: tokens, ...named } },
  ...{ firstToken: { x: tokens }, meanToken: { x: rank('[batch, tokens, dim]', 2, 9) } },
  firstRows: { name: text, tokens: count, rows: count, dim: count, weight },
  resizedPositions: { name: text, grid, target: grid, dim: count, weight },
  unfold: { images, kernel: count, stride: count, padding: size },

  ...{ add: two, mul: two, sub: two, max: reduced, mean: reduced },
  ...{ relu: { x: value }, tanh: { x: value }, zerosLike: { x: value }, gelu: { x: rank('of any shape', 0, 9) } },
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
