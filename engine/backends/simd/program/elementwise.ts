import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { BINARY, binaryCalls } from '../kernels/binary.ts'
import { bitsOf } from '../kernels/shapeFill.ts'
import { UNARY } from '../kernels/unary.ts'
import {
  type Cut,
  chunkOf,
  cutAxis,
  type Instruction,
  type Lowering,
  type OperandAddress,
  partOf,
} from './instruction.ts'

/** Operations on each element, and on each row. */
export const elementwise: Record<string, Lowering> = {
  ...Object.fromEntries(BINARY.map((name, op) => [name, binary(op)])),
  ...Object.fromEntries(UNARY.map((name, op) => [name, unary(op)])),
  Log: each('logarithm', ['x']),
  Gelu: each('gelu', ['x']),
  GeluGrad: each('geluGrad', ['dy', 'x']),
  GeluSlope: each('geluSlope', ['x']),
  Select: each('select', ['condition', 't', 'e']),
  Cast: (operation, cut) => {
    const x = operation.inputs.x as Use
    const size = partOf(sizeOf(x), cut)
    if (!size || x.dtype !== 'int32' || operation.attributes.dtype !== 'float32') return null
    return [{ kernel: 'toFloat', operands: [{ part: x }, ...outputs(operation), size] }]
  },
  LayerNorm: (operation, cut) => {
    const { x, weight, bias } = operation.inputs as { x: Use; weight: Use; bias: Use }
    const size = rows(x, cut)
    const eps = operation.attributes.eps as number
    const given = [{ part: x }, { whole: weight }, { whole: bias }]
    return size && [{ kernel: 'layerNorm', operands: [...given, ...outputs(operation), ...size, eps] }]
  },
  LayerNormGrad: (operation, cut) => {
    const dy = operation.inputs.dy as Use
    const examples = dy.shape.length > 1 ? (dy.shape[0] as number) : 1
    const [dim, part] = [dy.shape.at(-1) as number, cut.rows ? null : partOf(examples, cut)]
    const each = sizeOf(dy) / examples / dim
    return part && dim > 0 ? layerNormGrad(operation, outputs(operation), [part, each, dim]) : null
  },
  LayerNormSlope: (operation, cut) => {
    const size = rows(operation.inputs.dy as Use, cut)
    return size && layerNormGrad(operation, [...outputs(operation), 0, 0], [1, ...size])
  },
  CrossEntropy: ofLabels('crossEntropy'),
  LabelRank: ofLabels('labelRank'),
  CrossEntropyGrad: (operation, cut) => {
    const { dy, logits, labels, normaliser } = operation.inputs as Record<string, Use> & { logits: Use }
    const size = rows(logits, cut)
    const given = [dy, logits, labels, normaliser].map((part) => ({ part: part as Use }))
    return size && [{ kernel: 'crossEntropyGrad', operands: [...given, ...outputs(operation), ...size] }]
  },
  Softmax: (operation, cut) => {
    const logits = operation.inputs.logits as Use
    const { dim } = operation.attributes as { dim: number }
    const size = dim === -1 || dim === logits.shape.length - 1 ? rows(logits, cut) : null
    return size && [{ kernel: 'softmax', operands: [{ part: logits }, ...outputs(operation), ...size] }]
  },
  OneHot: (operation, cut) => {
    const indices = operation.inputs.indices as Use
    const { depth, onValue, offValue } = operation.attributes as Record<'depth' | 'onValue' | 'offValue', number>
    const dtype = operation.attributes.dtype as string
    const size = partOf(sizeOf(indices), cut)
    if (!size || indices.dtype !== 'int32' || (dtype !== 'float32' && dtype !== 'int32')) return null
    const numbers = [size, depth, bitsOf(onValue, dtype), bitsOf(offValue, dtype)]
    return [{ kernel: 'oneHot', operands: [{ part: indices }, ...outputs(operation), ...numbers] }]
  },
}

function outputs({ outputs }: Operation): OperandAddress[] {
  return outputs.map((part) => ({ part }))
}

/** Rows and length of a row of a chunk. */
function rows(use: Use, cut: Cut): [number, number] | null {
  const dim = use.shape.at(-1) ?? 0
  const count = dim > 0 ? partOf(sizeOf(use) / dim, cut) : null
  return use.dtype === 'float32' && count ? [count, dim] : null
}

function layerNormGrad({ inputs }: Operation, made: Instruction['operands'], sizes: number[]): Instruction[] {
  const { dy, value, scale, weight } = inputs as { dy: Use; value: Use; scale: Use; weight: Use }
  const given = [{ part: dy }, { part: value }, { part: scale }, { whole: weight }]
  return [{ kernel: 'layerNormGrad', operands: [...given, ...made, ...sizes] }]
}

/** What is found of each row of logits with its label. */
function ofLabels(kernel: Instruction['kernel']): Lowering {
  return (operation, cut) => {
    const { logits, labels } = operation.inputs as { logits: Use; labels: Use }
    const size = rows(logits, cut)
    return size && [{ kernel, operands: [{ part: logits }, { part: labels }, ...outputs(operation), ...size] }]
  }
}

function each(kernel: Instruction['kernel'], names: string[], numbers: number[] = []): Lowering {
  return (operation, cut) => {
    const uses = names.map((name) => operation.inputs[name] as Use)
    const size = partOf(sizeOf(uses[0] as Use), cut)
    if (!size || uses.some(({ dtype }) => dtype !== 'float32')) return null
    return [{ kernel, operands: [...numbers, ...uses.map((part) => ({ part })), ...outputs(operation), size] }]
  }
}

function unary(op: number): Lowering {
  const lower = each('unary', ['x'], [op])
  return (operation, cut) => (operation.attributes.alpha ? null : lower(operation, cut))
}

function binary(op: number): Lowering {
  return (operation, cut) => {
    const { a, b } = operation.inputs as { a: Use; b: Use }
    const result = operation.outputs[0] as Use
    const shape = chunkOf(result.shape, cut)
    if (!shape || a.dtype !== 'float32' || b.dtype !== 'float32') return null
    const [left, right] = [operandOf(a, result, shape, cut), operandOf(b, result, shape, cut)]
    return binaryCalls(left.shape, right.shape, shape).map(({ offsets, numbers }) => ({
      kernel: 'binary',
      operands: [op, left.at(offsets[0]), right.at(offsets[1]), { part: result, offset: offsets[2] }, ...numbers],
    }))
  }
}

/**
 * What a chunk of that shape of the result reads of an operand. One with the axis that is cut is cut with it; one that is
 * broadcast along it is there for all, or for its example.
 */
function operandOf(use: Use, result: Use, chunk: number[], cut: Cut) {
  const axis = cutAxis(result.shape, cut)
  const missing = result.shape.length - use.shape.length
  const sizeAt = (at: number) => use.shape[at - missing] ?? 1
  const along = sizeAt(axis) === result.shape[axis]
  const apart = axis === 1 && cut.batch > 1 // several examples, each in several chunks
  const shared = apart && sizeAt(0) === 1
  const shape = use.shape.map((size, i) => {
    const at = i + missing
    return at < axis ? 1 : along && at === axis ? (chunk[axis] as number) : size
  })
  const at = (offset: number): OperandAddress => {
    if (along) return shared ? { rows: use, offset } : { part: use, offset }
    return apart && !shared ? { example: use, offset } : { whole: use, offset }
  }
  return { shape, at }
}
