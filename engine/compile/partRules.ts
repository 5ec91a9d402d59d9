import type { NamedAttrMap } from '@tensorflow/tfjs-core'
import { elementwise } from '../trace/rules/elementwise.ts'
import type { Operation, Use } from './graph.ts'

/**
 * How a value belongs to a batch: it is the same for all examples, it has the examples one after the other along its first axis that
 * is not of length 1, or it is a sum over the examples.
 */
export type Belonging = 'shared' | 'examples' | 'summed'

/** How an operation is done for a part of the examples. */
export interface PartRule {
  /** How each input is wanted, by its name. */
  inputs: Record<string, Belonging>
  /** What that gives, for each output or for all. */
  outputs: Belonging | Belonging[]
  attributes?: NamedAttrMap
}

type Rule = (operation: Operation, of: (use: Use) => Belonging, parts: number) => PartRule | null

/** The first axis that is not of length 1. */
export function leadOf({ shape }: Pick<Use, 'shape'>): number {
  const lead = shape.findIndex((length) => length !== 1)
  return lead < 0 ? shape.length : lead
}

const all = ({ inputs }: Operation, belonging: Belonging): Record<string, Belonging> =>
  Object.fromEntries(Object.keys(inputs).map((name) => [name, belonging]))

const output = ({ outputs }: Operation) => outputs[0] as Use

/** Operations element by element. */
const MAPS = new Set([...Object.keys(elementwise), 'Gelu', 'GeluGrad', 'Identity', 'AddV2'])
for (const other of ['Softmax', 'LRN', 'LRNGrad', 'FusedBatchNorm']) MAPS.delete(other)

export function isMap({ kernel }: Operation): boolean {
  return MAPS.has(kernel)
}

/** The axis of an input of a map that lies along the first axis of its result; -1 where it is repeated along that. */
export function alongLead(use: Use, out: Use): number {
  const axis = use.shape.length - (out.shape.length - leadOf(out))
  return axis >= 0 && (use.shape[axis] as number) > 1 ? axis : -1
}

const map: Rule = (operation, of) => {
  const out = output(operation)
  const inputs: Record<string, Belonging> = {}
  for (const [name, use] of Object.entries(operation.inputs)) {
    const axis = alongLead(use, out)
    if (of(use) === 'examples' && axis !== leadOf(use)) return null
    inputs[name] = axis < 0 ? 'shared' : 'examples'
  }
  return { inputs, outputs: 'examples' }
}

/** An operation within examples, where the axes that it goes along are theirs. */
const within =
  (
    axesOf: (operation: Operation, x: Use) => number[],
    attributes?: (operation: Operation, lead: number, parts: number) => NamedAttrMap,
  ): Rule =>
  (operation, of, parts) => {
    const given = Object.values(operation.inputs)
    const x = given.find((use) => of(use) === 'examples') as Use
    const lead = leadOf(x)
    const axes = axesOf(operation, x).map((axis) => (axis < 0 ? axis + x.shape.length : axis))
    if (axes.some((axis) => axis <= lead) || given.some((use) => leadOf(use) !== lead)) return null
    return {
      inputs: all(operation, 'examples'),
      outputs: 'examples',
      ...(attributes && { attributes: attributes(operation, lead, parts) }),
    }
  }

const numbers = ({ attributes }: Operation, name: string) => [attributes[name] as number | number[]].flat()
const lastAxis = within(() => [-1])
const namedAxis = within((operation) => numbers(operation, 'axis'))

/** Those of an axis by number that an operation changes. */
const changed = (length: number, isKept: (axis: number) => boolean) =>
  Array.from({ length }, (_, axis) => axis).filter((axis) => !isKept(axis))

function reducedAxes({ attributes }: Operation, x: Use): number[] {
  const given = (attributes.axis ?? attributes.reductionIndices) as number | number[] | null | undefined
  if (given === null || given === undefined) return x.shape.map((_, axis) => axis)
  return [given].flat().map((axis) => (axis < 0 ? axis + x.shape.length : axis))
}

const reduction =
  (isSum: boolean): Rule =>
  (operation) => {
    const x = operation.inputs.x as Use
    const lead = leadOf(x)
    const axes = reducedAxes(operation, x).filter((axis) => x.shape[axis] !== 1)
    const inputs = { x: 'examples' } as const
    if (axes.every((axis) => axis > lead)) return { inputs, outputs: 'examples' }
    return isSum ? { inputs, outputs: 'summed' } : null
  }

/** Where the examples of a factor are: side by side, in its lines, or in the terms that are added up. */
function sideOf({ attributes, inputs }: Operation, name: 'a' | 'b', of: (use: Use) => Belonging) {
  const use = inputs[name] as Use
  if (of(use) !== 'examples') return 'none'
  const lead = leadOf(use) - (use.shape.length - 2)
  if (lead < 0) return 'outer'
  const isTurned = attributes[name === 'a' ? 'transposeA' : 'transposeB'] === true
  if (lead > 0) return 'other'
  return (name === 'a') === isTurned ? 'terms' : name === 'a' ? 'lines' : 'other'
}

const product: Rule = (operation, of) => {
  const [a, b] = [sideOf(operation, 'a', of), sideOf(operation, 'b', of)]
  const sides = `${a} ${b}`
  if (sides === 'terms terms') return { inputs: all(operation, 'examples'), outputs: 'summed' }
  const fromEnd = (name: 'a' | 'b') =>
    leadOf(operation.inputs[name] as Use) - (operation.inputs[name] as Use).shape.length
  if (sides === 'outer outer') {
    return fromEnd('a') === fromEnd('b') ? { inputs: all(operation, 'examples'), outputs: 'examples' } : null
  }
  if (sides === 'lines none') return { inputs: { a: 'examples', b: 'shared' }, outputs: 'examples' }
  if (a !== 'outer' && b !== 'outer') return null
  const [own, other] = a === 'outer' ? (['a', 'b'] as const) : (['b', 'a'] as const)
  const shape = (name: 'a' | 'b') => (operation.inputs[name] as Use).shape
  const axis = leadOf(operation.inputs[own] as Use) - shape(own).length + shape(other).length
  const isRepeated = axis < 0 || shape(other)[axis] === 1
  if ((a !== 'none' && b !== 'none') || leadOf(operation.inputs[own] as Use) !== leadOf(output(operation))) return null
  return { inputs: { [own]: 'examples', [other]: isRepeated ? 'shared' : 'examples' }, outputs: 'examples' }
}

/** The attribute `name`, a shape whose first axis has the examples, for a part. */
const smaller =
  (name: string) =>
  ({ attributes }: Operation, lead: number, parts: number): NamedAttrMap => {
    const shape = attributes[name] as number[]
    const length = shape[lead] as number
    return { ...attributes, [name]: shape.with(lead, length < 0 ? length : length / parts) } // -1 is all that is left
  }

/** An operation on pictures, `[batch, height, width, channels]`, with a filter for all. */
const pictures =
  (outputs: Belonging, name?: string): Rule =>
  (operation, of, parts) => {
    const inputs = Object.entries(operation.inputs).map(([name, use]) => [name, of(use)] as const)
    if (inputs.some(([name, side]) => (side === 'examples') === (name === 'filter'))) return null
    if (Object.values(operation.inputs).some((use) => of(use) === 'examples' && leadOf(use) !== 0)) return null
    const attributes = name ? smaller(name)(operation, 0, parts) : operation.attributes
    return { inputs: Object.fromEntries(inputs), outputs, attributes }
  }

/** How operations are done for a part of the examples, where an input has examples; null where they need all. */
const RULES: Record<string, Rule> = {
  Softmax: lastAxis,
  LogSoftmax: lastAxis,
  OneHot: (operation) => ({ inputs: all(operation, 'examples'), outputs: 'examples' }),
  CrossEntropy: (operation) => ({ inputs: all(operation, 'examples'), outputs: 'examples' }),
  CrossEntropyGrad: (operation) => ({ inputs: all(operation, 'examples'), outputs: 'examples' }),
  LayerNorm: (operation) => {
    const x = operation.inputs.x as Use
    if (leadOf(x) >= x.shape.length - 1) return null
    return { inputs: { x: 'examples', weight: 'shared', bias: 'shared' }, outputs: 'examples' }
  },
  LayerNormGrad: (operation) => {
    const { shape } = operation.inputs.dy as Use
    const lead = leadOf({ shape })
    if (lead >= shape.length - 1) return null
    const sums = lead === 0 && shape.length > 1 ? 'examples' : 'summed'
    return { inputs: { ...all(operation, 'examples'), weight: 'shared' }, outputs: ['examples', sums, sums] }
  },
  Sum: reduction(true),
  Mean: reduction(true),
  Max: reduction(false),
  Min: reduction(false),
  Prod: reduction(false),
  All: reduction(false),
  Any: reduction(false),
  BatchMatMul: product,
  Transpose: within((operation) =>
    changed(numbers(operation, 'perm').length, (axis) => numbers(operation, 'perm')[axis] === axis),
  ),
  Slice: within(
    (operation, x) => changed(x.shape.length, (axis) => output(operation).shape[axis] === x.shape[axis]),
    smaller('size'),
  ),
  PadV2: within((operation, x) =>
    changed(x.shape.length, (axis) => !(operation.attributes.paddings as number[][])[axis]?.some((count) => count > 0)),
  ),
  Tile: within((operation, x) => changed(x.shape.length, (axis) => numbers(operation, 'reps')[axis] === 1)),
  Reverse: within((operation) => numbers(operation, 'dims')),
  SplitV: namedAxis,
  Unpack: namedAxis,
  Concat: namedAxis,
  Pack: (operation, of, parts) => {
    const { length } = output(operation).shape
    const axis = numbers(operation, 'axis')[0] as number
    return within(() => [(axis + length) % length])(operation, of, parts)
  },
  GatherV2: (operation, of) => {
    const [x, indices] = [operation.inputs.x, operation.inputs.indices] as [Use, Use]
    const { axis = 0, batchDims = 0 } = operation.attributes as { axis?: number; batchDims?: number }
    const place = axis < 0 ? axis + x.shape.length : axis
    if (of(x) !== 'examples') {
      return place === 0 && batchDims === 0
        ? { inputs: { x: 'shared', indices: 'examples' }, outputs: 'examples' }
        : null
    }
    const lead = leadOf(x)
    if (of(indices) !== 'examples')
      return place > lead && batchDims === 0
        ? { inputs: { x: 'examples', indices: 'shared' }, outputs: 'examples' }
        : null
    const alike = lead < batchDims && leadOf(indices) === lead
    return alike ? { inputs: { x: 'examples', indices: 'examples' }, outputs: 'examples' } : null
  },
  UnsortedSegmentSum: (operation, of) => {
    const [x, segmentIds] = [operation.inputs.x, operation.inputs.segmentIds] as [Use, Use]
    if (of(x) !== 'examples' || of(segmentIds) !== 'examples' || leadOf(x) !== leadOf(segmentIds)) return null
    return { inputs: { x: 'examples', segmentIds: 'examples' }, outputs: 'summed' }
  },
  Conv2D: pictures('examples'),
  Conv2DBackpropInput: pictures('examples', 'inputShape'),
  Conv2DBackpropFilter: pictures('summed'),
  DepthwiseConv2dNative: pictures('examples'),
  DepthwiseConv2dNativeBackpropInput: pictures('examples', 'inputShape'),
  DepthwiseConv2dNativeBackpropFilter: pictures('summed'),
  AvgPool: pictures('examples'),
  AvgPoolGrad: pictures('examples'),
  MaxPool: pictures('examples'),
  MaxPoolGrad: pictures('examples'),
}

/** What keeps a sum over examples one, by the input that is that sum; others are shared. */
const LINEAR: Record<string, string> = {
  ...{ Neg: 'x', Identity: 'x', Transpose: 'x', Slice: 'x', SplitV: 'x', Reverse: 'x', Tile: 'x', BroadcastTo: 'x' },
  ...{ Sum: 'x', Mean: 'x', GatherV2: 'x', Unpack: 'value', RealDiv: 'a' },
  ...{ UnsortedSegmentSum: 'x', PadV2: 'x' },
}

/** What has a sum over examples and no examples: again such a sum, or, of sums that are known before, as of anything shared. */
const ofSums: Rule = (operation, of) => {
  const { kernel, inputs } = operation
  if (['Add', 'AddV2', 'AddN', 'Sub', 'Concat', 'Pack'].includes(kernel)) {
    return { inputs: all(operation, 'summed'), outputs: 'summed' }
  }
  if (kernel === 'PadV2' && operation.attributes.constantValue) return null
  const given = Object.entries(inputs)
  const summed = given.filter(([, use]) => of(use) === 'summed').map(([name]) => name)
  const isLinear = LINEAR[kernel] ? summed.includes(LINEAR[kernel]) : kernel === 'Multiply' || kernel === 'BatchMatMul'
  if (!isLinear) return { inputs: all(operation, 'shared'), outputs: 'shared' }
  const own = LINEAR[kernel] ?? summed[0]
  return { inputs: { ...all(operation, 'shared'), [own as string]: 'summed' }, outputs: 'summed' }
}

/** How an operation is done for one of `parts` parts of the examples; null where it needs all of them. */
export const partRule: Rule = (operation, of, parts) => {
  const sides = new Set(Object.values(operation.inputs).map(of))
  if (sides.has('examples'))
    return (RULES[operation.kernel] ?? (isMap(operation) ? map : () => null))(operation, of, parts)
  if (sides.has('summed')) return ofSums(operation, of, parts)
  return { inputs: all(operation, 'shared'), outputs: 'shared' }
}
