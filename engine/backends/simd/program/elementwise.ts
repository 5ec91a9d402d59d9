import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { BINARY, binaryCalls } from '../kernels/binary.ts'
import { bitsOf } from '../kernels/shapeFill.ts'
import { UNARY } from '../kernels/unary.ts'
import { chunkOf, type Instruction, type Lowering, type OperandAddress } from './instruction.ts'

/** Operations on each element, and on each row. */
export const elementwise: Record<string, Lowering> = {
  ...Object.fromEntries(BINARY.map((name, op) => [name, binary(op)])),
  ...Object.fromEntries(UNARY.map((name, op) => [name, unary(op)])),
  Log: each('logarithm', ['x']),
  Gelu: each('gelu', ['x']),
  GeluGrad: each('geluGrad', ['dy', 'x']),
  GeluSlope: each('geluSlope', ['x']),
  Select: each('select', ['condition', 't', 'e']),
  Cast: (operation, { chunks }) => {
    const x = operation.inputs.x as Use
    const size = elements(x, chunks)
    if (!size || x.dtype !== 'int32' || operation.attributes.dtype !== 'float32') return null
    return [{ kernel: 'toFloat', operands: [{ part: x }, ...outputs(operation), size] }]
  },
  LayerNorm: (operation, { chunks }) => {
    const { x, weight, bias } = operation.inputs as { x: Use; weight: Use; bias: Use }
    const size = rows(x, chunks)
    const eps = operation.attributes.eps as number
    const given = [{ part: x }, { whole: weight }, { whole: bias }]
    return size && [{ kernel: 'layerNorm', operands: [...given, ...outputs(operation), ...size, eps] }]
  },
  LayerNormGrad: (operation, { chunks }) => {
    const { dy, value, scale, weight } = operation.inputs as { dy: Use; value: Use; scale: Use; weight: Use }
    const examples = dy.shape.length > 1 ? (dy.shape[0] as number) : 1
    const size = examples % chunks === 0 ? rows(dy, examples) : null
    const given = [{ part: dy }, { part: value }, { part: scale }, { whole: weight }]
    const numbers = size && [examples / chunks, ...size]
    return numbers && [{ kernel: 'layerNormGrad', operands: [...given, ...outputs(operation), ...numbers] }]
  },
  CrossEntropy: ofLabels('crossEntropy'),
  LabelRank: ofLabels('labelRank'),
  CrossEntropyGrad: (operation, { chunks }) => {
    const { dy, logits, labels, normaliser } = operation.inputs as Record<string, Use> & { logits: Use }
    const size = rows(logits, chunks)
    const given = [dy, logits, labels, normaliser].map((part) => ({ part: part as Use }))
    return size && [{ kernel: 'crossEntropyGrad', operands: [...given, ...outputs(operation), ...size] }]
  },
  Softmax: (operation, { chunks }) => {
    const logits = operation.inputs.logits as Use
    const { dim } = operation.attributes as { dim: number }
    const size = dim === -1 || dim === logits.shape.length - 1 ? rows(logits, chunks) : null
    return size && [{ kernel: 'softmax', operands: [{ part: logits }, ...outputs(operation), ...size] }]
  },
  OneHot: (operation, { chunks }) => {
    const indices = operation.inputs.indices as Use
    const { depth, onValue, offValue } = operation.attributes as Record<'depth' | 'onValue' | 'offValue', number>
    const dtype = operation.attributes.dtype as string
    const size = elements(indices, chunks)
    if (!size || indices.dtype !== 'int32' || (dtype !== 'float32' && dtype !== 'int32')) return null
    const numbers = [size, depth, bitsOf(onValue, dtype), bitsOf(offValue, dtype)]
    return [{ kernel: 'oneHot', operands: [{ part: indices }, ...outputs(operation), ...numbers] }]
  },
}

function outputs({ outputs }: Operation): OperandAddress[] {
  return outputs.map((part) => ({ part }))
}

/** Elements of a chunk, or null if they do not divide. */
function elements(use: Use, chunks: number): number | null {
  const size = sizeOf(use)
  return size > 0 && size % chunks === 0 ? size / chunks : null
}

/** Rows and length of a row of a chunk. */
function rows(use: Use, chunks: number): [number, number] | null {
  const dim = use.shape.at(-1) ?? 0
  const count = dim > 0 ? sizeOf(use) / dim : 0
  return use.dtype === 'float32' && count > 0 && count % chunks === 0 ? [count / chunks, dim] : null
}

/** What is found of each row of logits with its label. */
function ofLabels(kernel: Instruction['kernel']): Lowering {
  return (operation, { chunks }) => {
    const { logits, labels } = operation.inputs as { logits: Use; labels: Use }
    const size = rows(logits, chunks)
    return size && [{ kernel, operands: [{ part: logits }, { part: labels }, ...outputs(operation), ...size] }]
  }
}

function each(kernel: Instruction['kernel'], names: string[], numbers: number[] = []): Lowering {
  return (operation, { chunks }) => {
    const uses = names.map((name) => operation.inputs[name] as Use)
    const size = elements(uses[0] as Use, chunks)
    if (!size || uses.some(({ dtype }) => dtype !== 'float32')) return null
    return [{ kernel, operands: [...numbers, ...uses.map((part) => ({ part })), ...outputs(operation), size] }]
  }
}

function unary(op: number): Lowering {
  const lower = each('unary', ['x'], [op])
  return (operation, cut) => (operation.attributes.alpha ? null : lower(operation, cut))
}

/** An operand with the first axis of the result is cut with it; one that is broadcast along it is there for all. */
function binary(op: number): Lowering {
  return (operation, { chunks }) => {
    const { a, b } = operation.inputs as { a: Use; b: Use }
    const result = operation.outputs[0] as Use
    const shape = chunkOf(result.shape, chunks)
    if (!shape || a.dtype !== 'float32' || b.dtype !== 'float32') return null
    const along = (use: Use) => use.shape.length === result.shape.length && use.shape[0] === result.shape[0]
    const broadcast = (use: Use) => use.shape.length < result.shape.length || use.shape[0] === 1
    if (![a, b].every((use) => along(use) || broadcast(use))) return null
    const shapeOf = (use: Use) => (along(use) ? [shape[0] as number, ...use.shape.slice(1)] : use.shape)
    const at = (use: Use, offset: number) => (along(use) ? { part: use, offset } : { whole: use, offset })
    return binaryCalls(shapeOf(a), shapeOf(b), shape).map(({ offsets, numbers }) => ({
      kernel: 'binary',
      operands: [op, at(a, offsets[0]), at(b, offsets[1]), { part: result, offset: offsets[2] }, ...numbers],
    }))
  }
}
