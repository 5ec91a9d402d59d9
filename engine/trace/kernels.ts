import { backend_util, type NamedAttrMap, type NamedTensorInfoMap, type TensorInfo, util } from '@tensorflow/tfjs-core'

/** Shapes and type of the results of an operation, and its multiply-adds where it has any. */
export interface Outline {
  outputs: { shape: number[]; dtype: TensorInfo['dtype'] }[]
  macs?: number
}

type Rule = (inputs: NamedTensorInfoMap, attributes: NamedAttrMap) => Outline

const one = (shape: number[], dtype: TensorInfo['dtype'] = 'float32', macs = 0): Outline => ({
  outputs: [{ shape, dtype }],
  macs,
})

const first = (inputs: NamedTensorInfoMap): TensorInfo => Object.values(inputs)[0] as TensorInfo

/** Same shape as the input. */
const unary: Rule = (inputs) => one(first(inputs).shape, first(inputs).dtype)

const binary: Rule = ({ a, b }) =>
  one(
    backend_util.assertAndGetBroadcastShape((a as TensorInfo).shape, (b as TensorInfo).shape),
    (a as TensorInfo).dtype,
  )

const reduction: Rule = (inputs, { axis, keepDims }) => {
  const { shape, dtype } = first(inputs)
  const axes = util.parseAxisParam((axis ?? shape.map((_, i) => i)) as number | number[], shape)
  const kept = shape.map((length, i) => (axes.includes(i) ? 1 : length))
  return one(keepDims ? kept : kept.filter((_, i) => !axes.includes(i)), dtype)
}

const reshape: Rule = (inputs, { shape }) =>
  one(util.inferFromImplicitShape(shape as number[], util.sizeFromShape(first(inputs).shape)), first(inputs).dtype)

/** `[..., m, k]` times `[..., k, n]`, either transposed, batch axes broadcast: m n k multiply-adds each. */
const matMul: Rule = ({ a, b }, { transposeA, transposeB }) => {
  const [left, right] = [(a as TensorInfo).shape, (b as TensorInfo).shape]
  const [m, k] = (transposeA ? [left.at(-1), left.at(-2)] : [left.at(-2), left.at(-1)]) as [number, number]
  const n = (transposeB ? right.at(-2) : right.at(-1)) as number
  const batch = backend_util.assertAndGetBroadcastShape(left.slice(0, -2), right.slice(0, -2))
  return one([...batch, m, n], 'float32', util.sizeFromShape(batch) * m * n * k)
}

const splitV: Rule = ({ x }, { numOrSizeSplits, axis }) => {
  const { shape, dtype } = x as TensorInfo
  const along = util.parseAxisParam(axis as number, shape)[0] as number
  const parts = numOrSizeSplits as number | number[]
  const sizes = typeof parts === 'number' ? new Array<number>(parts).fill((shape[along] as number) / parts) : parts
  return { outputs: sizes.map((size) => ({ shape: shape.with(along, size), dtype })) }
}

const concat: Rule = (inputs, { axis }) => {
  const shapes = Object.values(inputs).map((input) => (input as TensorInfo).shape)
  const along = util.parseAxisParam(axis as number, shapes[0] as number[])[0] as number
  return one(backend_util.computeOutShape(shapes, along), first(inputs).dtype)
}

/** Kernel name to its rule. */
export const rules: Record<string, Rule> = {
  ...Object.fromEntries(
    [
      'Abs',
      'Cast',
      'Erf',
      'Exp',
      'Identity',
      'Log',
      'Neg',
      'Relu',
      'Rsqrt',
      'Sigmoid',
      'Softmax',
      'Sqrt',
      'Square',
      'Tanh',
    ].map((name) => [name, unary]),
  ),
  ...Object.fromEntries(
    ['Add', 'Maximum', 'Minimum', 'Multiply', 'Pow', 'RealDiv', 'SquaredDifference', 'Sub'].map((name) => [
      name,
      binary,
    ]),
  ),
  ...Object.fromEntries(['Max', 'Mean', 'Min', 'Sum'].map((name) => [name, reduction])),
  Fill: (_, { shape, dtype }) => one(shape as number[], dtype as TensorInfo['dtype']),
  Reshape: reshape,
  ExpandDims: (inputs, { dim }) => one(first(inputs).shape.toSpliced(dim as number, 0, 1), first(inputs).dtype),
  Transpose: (inputs, { perm }) => one((perm as number[]).map((axis) => first(inputs).shape[axis] as number)),
  BatchMatMul: matMul,
  SplitV: splitV,
  Concat: concat,
}
