import { type AvgPoolAttrs, backend_util, type Conv2DAttrs, util } from '@tensorflow/tfjs-core'
import type { Operation } from '../../compile/graph.ts'
import type { Build } from './build.ts'
import { BINARY, COMPARISONS, LOGICAL, type Name, REDUCTIONS, UNARY } from './names.ts'
import type { OpenOperation } from './record.ts'
import { isDynamic, type Length, type Value } from './types.ts'

/** What an operation is made from; see `rules`. */
export interface OperationContext {
  operation: OpenOperation
  inputs: Record<string, Value>
  attributes: Operation['attributes']
  build: Build
  /** Whether examples of a batch may be mixed, as they are while training. */
  mixes: boolean
  constant(shape: number[], dtype: Value['dtype'], values: ArrayLike<number>): Value
  /** Filled with one number; the shape may count examples. */
  filled(shape: Length[], value: number, dtype: Value['dtype']): Value
  fail(what: string): Error
}

/** The values that an operation gives, those of its outputs that other operations may read. */
type Rule = (given: OperationContext) => Value[]

const input = ({ inputs }: OperationContext, name: string): Value => inputs[name] as Value
const first = ({ inputs }: OperationContext): Value => Object.values(inputs)[0] as Value
const shapeOf = ({ operation }: OperationContext, i = 0): Length[] => operation.outputs[i]?.shape as Length[]
const dtypeOf = ({ operation }: OperationContext): Value['dtype'] => operation.outputs[0]?.dtype as Value['dtype']
const axisOf = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis)

const scalar = ({ constant }: OperationContext, value: number): Value => constant([], 'float32', [value])

const unary: Rule = (given) => [given.build.node(given.operation.kernel as Name, [first(given)], shapeOf(given))]

const binary: Rule = (given) => [
  given.build.node(given.operation.kernel as Name, [input(given, 'a'), input(given, 'b')], shapeOf(given)),
]

const comparison: Rule = (given) => {
  const inputs = [input(given, 'a'), input(given, 'b')]
  return [given.build.node(given.operation.kernel as Name, inputs, shapeOf(given), {}, 'bool')]
}

const reduction: Rule = (given) => {
  const { kernel } = given.operation
  const x = first(given)
  const { axis, reductionIndices = axis, keepDims = false } = given.attributes
  const axes = util.parseAxisParam((reductionIndices ?? x.shape.map((_, i) => i)) as number[], x.shape as number[])
  if (!given.mixes && axes.some((at) => isDynamic(x.shape[at])))
    throw given.fail(`'${kernel}' over the examples of a batch`)
  return [given.build.node(kernel as Name, [x], shapeOf(given), { axes, keepDims: Boolean(keepDims) }, dtypeOf(given))]
}

type Four = [number, number, number, number]

/** A convolution by a filter `[h, w, in / groups, out]`. */
function convolution(given: OperationContext, filter: Value, groups: number): Value {
  const { strides, pad, dilations, dimRoundingMode, dataFormat } = given.attributes as unknown as Conv2DAttrs
  if (dataFormat && dataFormat !== 'NHWC') throw given.fail('a convolution of images with channels first')
  const [x, own] = ['x', 'filter'].map((name) => given.operation.once.inputs[name]?.shape) as [Four, Four]
  const padding = pad as number
  const info = backend_util.computeConv2DInfo(x, own, strides, dilations ?? 1, padding, dimRoundingMode, groups > 1)
  const { top, left, bottom, right } = info.padInfo
  const told = {
    strides: [info.strideHeight, info.strideWidth],
    dilations: [info.dilationHeight, info.dilationWidth],
    pad: [top, left, bottom, right],
    groups,
  }
  const turned = given.build.transpose(filter, [3, 2, 0, 1])
  return given.build.node('Conv2D', [input(given, 'x'), turned], shapeOf(given), told)
}

function pooling(given: OperationContext): Value[] {
  const { filterSize, strides, pad, dimRoundingMode } = given.attributes as unknown as AvgPoolAttrs
  const x = given.operation.once.inputs.x?.shape as Four
  const info = backend_util.computePool2DInfo(x, filterSize, strides, 1, pad, dimRoundingMode)
  const { top, left, bottom, right } = info.padInfo
  const told = {
    size: [info.filterHeight, info.filterWidth],
    strides: [info.strideHeight, info.strideWidth],
    pad: [top, left, bottom, right],
  }
  return [given.build.node(given.operation.kernel as Name, [first(given)], shapeOf(given), told)]
}

/** One convolution for those of parts of the channels by parts of a filter, as nn/operations/convolve.ts has them. */
function inGroups({ build, operation, attributes }: OperationContext, parts: Value[]): Value | null {
  const axis = 3
  const shape = operation.outputs[0]?.shape as Length[]
  if (shape.length !== 4 || parts.length === 1 || axisOf(attributes.axis as number, 4) !== axis) return null
  const sources = parts.map((part, i) => {
    const convolution = build.maker(part, 'Conv2D')
    const turned = build.maker(convolution?.inputs[1], 'Transpose')
    const slices = [convolution?.inputs[0], turned?.inputs[0]].map((value) => build.maker(value, 'Slice'))
    const isPart = slices.every((slice) => {
      const { size = 0, ...at } = (slice?.attributes ?? {}) as Record<string, number>
      const whole = slice?.inputs[0]?.shape[axis]
      return at.axis === axis && at.begin === i * size && whole === parts.length * size
    })
    if (!convolution || !isPart || convolution.attributes.groups !== 1) return null
    if (String(turned?.attributes.perm) !== '3,2,0,1') return null
    return { x: slices[0]?.inputs[0], filter: slices[1]?.inputs[0], told: convolution.attributes }
  })
  const [source] = sources
  if (!source || !sources.every((each) => JSON.stringify(each) === JSON.stringify(source))) return null
  const filter = build.transpose(source.filter as Value, [3, 2, 0, 1])
  return build.node('Conv2D', [source.x as Value, filter], shape, { ...source.told, groups: parts.length })
}

/** Along one axis, `size` values from `begin`. */
function part({ build }: OperationContext, x: Value, axis: number, begin: number, size: number): Value {
  return build.node('Slice', [x], x.shape.with(axis, size), { axis, begin, size })
}

const filled =
  (value: number): Rule =>
  (given) => [given.filled(shapeOf(given), value, dtypeOf(given))]

/** How each kernel of tfjs that was recorded becomes nodes. */
export const rules: Record<string, Rule> = {
  ...Object.fromEntries(UNARY.map((name) => [name, unary])),
  ...Object.fromEntries(BINARY.map((name) => [name, binary])),
  ...Object.fromEntries([...COMPARISONS, ...LOGICAL].map((name) => [name, comparison])),
  ...Object.fromEntries(REDUCTIONS.map((name) => [name, reduction])),
  BatchMatMul: (given) => {
    const { transposeA = false, transposeB = false } = given.attributes
    const told = { transposeA: Boolean(transposeA), transposeB: Boolean(transposeB) }
    const [a, b] = [input(given, 'a'), input(given, 'b')]
    return [given.build.node('MatMul', [a, b], shapeOf(given), told)]
  },
  Softmax: (given) => [given.build.node('Softmax', [first(given)], shapeOf(given))],
  LayerNorm: (given) => {
    const inputs = ['x', 'weight', 'bias'].map((name) => input(given, name))
    return [given.build.node('LayerNorm', inputs, shapeOf(given), { eps: given.attributes.eps as number })]
  },
  Conv2D: (given) => [convolution(given, input(given, 'filter'), 1)],
  DepthwiseConv2dNative: (given) => {
    const filter = input(given, 'filter')
    const [high, wide, channels, several] = filter.shape as [number, number, number, number]
    return [convolution(given, given.build.reshape(filter, [high, wide, 1, channels * several]), channels)]
  },
  AvgPool: pooling,
  MaxPool: pooling,
  Transpose: (given) => [given.build.transpose(first(given), given.attributes.perm as number[])],
  Slice: (given) => {
    const begin = given.attributes.begin as number[]
    return [
      shapeOf(given).reduce((x: Value, length, axis) => {
        const whole = x.shape[axis] as Length
        if (JSON.stringify(whole) === JSON.stringify(length)) return x
        if (isDynamic(length) || isDynamic(whole)) throw given.fail('it takes some of the examples of a batch')
        return part(given, x, axis, begin[axis] as number, length)
      }, first(given)),
    ]
  },
  SplitV: (given) => {
    const x = first(given)
    const axis = axisOf(given.attributes.axis as number, x.shape.length)
    let begin = 0
    return given.operation.outputs.map(({ shape }) => {
      const size = shape[axis] as Length
      if (isDynamic(size)) throw given.fail('it takes some of the examples of a batch')
      const found = part(given, x, axis, begin, size)
      begin += size
      return found
    })
  },
  Unpack: (given) => {
    const x = first(given)
    const axis = axisOf(given.attributes.axis as number, x.shape.length)
    if (isDynamic(x.shape[axis])) throw given.fail('it takes some of the examples of a batch')
    return given.operation.outputs.map(({ shape }, i) => given.build.reshape(part(given, x, axis, i, 1), shape))
  },
  Concat: (given) => {
    const parts = Object.values(given.inputs)
    const whole = inGroups(given, parts)
    if (whole) return [whole]
    const axis = axisOf(given.attributes.axis as number, parts[0]?.shape.length ?? 1)
    return [given.build.node('Concat', parts, shapeOf(given), { axis })]
  },
  Pack: (given) => {
    const axis = axisOf(given.attributes.axis as number, shapeOf(given).length)
    const parts = Object.values(given.inputs).map((x) => given.build.reshape(x, x.shape.toSpliced(axis, 0, 1)))
    return [given.build.node('Concat', parts, shapeOf(given), { axis })]
  },
  PadV2: (given) => {
    const paddings = given.attributes.paddings as [number, number][]
    const [before, after] = [0, 1].map((side) => paddings.map((pair) => pair[side] as number)) as [number[], number[]]
    const told = { before, after, value: given.attributes.constantValue as number }
    return [given.build.node('Pad', [first(given)], shapeOf(given), told)]
  },
  GatherV2: (given) => {
    if (given.attributes.batchDims) throw given.fail('a gather example by example')
    const [x, indices] = [input(given, 'x'), input(given, 'indices')]
    const axis = axisOf((given.attributes.axis as number) ?? 0, x.shape.length)
    return [given.build.node('Gather', [x, indices], shapeOf(given), { axis })]
  },
  Select: (given) => {
    const inputs = ['condition', 't', 'e'].map((name) => input(given, name))
    return [given.build.node('Select', inputs, shapeOf(given), {}, dtypeOf(given))]
  },
  LogicalNot: unary,
  Cast: (given) => [given.build.node('Cast', [first(given)], shapeOf(given), {}, dtypeOf(given))],
  SquaredDifference: (given) => {
    const difference = given.build.node('Sub', [input(given, 'a'), input(given, 'b')], shapeOf(given))
    return [given.build.node('Square', [difference], shapeOf(given))]
  },
  ClipByValue: (given) => {
    const { clipValueMin, clipValueMax } = given.attributes as Record<string, number>
    const above = given.build.node('Maximum', [first(given), scalar(given, clipValueMin as number)], shapeOf(given))
    return [given.build.node('Minimum', [above, scalar(given, clipValueMax as number)], shapeOf(given))]
  },
  Relu6: (given) => {
    const above = given.build.node('Relu', [first(given)], shapeOf(given))
    return [given.build.node('Minimum', [above, scalar(given, 6)], shapeOf(given))]
  },
  /** By ones, which are broadcast; along an axis of length 1 alone. */
  Tile: (given) => {
    const x = first(given)
    const wrong = x.shape.some((length, axis) => length !== 1 && shapeOf(given)[axis] !== length)
    if (wrong) throw given.fail('it repeats an axis of more than one')
    if (x.dtype === 'bool') {
      return [given.build.node('LogicalAnd', [x, given.filled(shapeOf(given), 1, 'bool')], shapeOf(given))]
    }
    return [given.build.node('Multiply', [x, given.filled(shapeOf(given), 1, x.dtype)], shapeOf(given))]
  },
  Range: (given) => {
    const { start, step } = given.attributes as { start: number; step: number }
    const length = shapeOf(given)[0] as Length
    if (isDynamic(length)) throw given.fail('it counts the examples of a batch')
    const values = Float32Array.from({ length }, (_, i) => start + i * step)
    return [given.constant([length], dtypeOf(given), values)]
  },
  OnesLike: filled(1),
  ZerosLike: filled(0),
  Fill: (given) => [given.filled(shapeOf(given), given.attributes.value as number, dtypeOf(given))],
}
