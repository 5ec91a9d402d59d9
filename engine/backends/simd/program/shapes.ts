import { slice_util, util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type LoopAxis, stridesOf } from '../kernels/shapeAxes.ts'
import { copyCalls } from '../kernels/shapeCopy.ts'
import { bitsOf } from '../kernels/shapeFill.ts'
import { transposition } from '../kernels/transpose.ts'
import { type Cut, chunkOf, cutAxis, type Instruction, type Lowering, partOf } from './instruction.ts'

/** Copies along axes between chunks of two values, from and to some elements further. */
function copies(from: Use, to: Use, axes: LoopAxis[], start = 0, target = 0): Instruction[] {
  return copyCalls(axes).map(({ offsets, numbers }) => ({
    kernel: 'copy',
    operands: [{ part: from, offset: start + offsets[0] }, { part: to, offset: target + offsets[1] }, ...numbers],
  }))
}

/** The part of a chunk of `x` from `begin` with the shape of a chunk of `out`. */
function slicePart(x: Use, out: Use, begin: number[], cut: Cut): Instruction[] | null {
  const [own, size] = [chunkOf(x.shape, cut), chunkOf(out.shape, cut)]
  if (!own || !size || !begin.every((from, i) => behind(i, x, cut) || from === 0) || !alike(x, out, cut)) return null
  const [xSteps, outSteps] = [stridesOf(own), stridesOf(size)]
  const axes = size.map((n, i) => ({ size: n, steps: [xSteps[i], outSteps[i]] as number[] }))
  const offset = begin.reduce((sum, index, i) => sum + index * (xSteps[i] as number), 0)
  return copies(x, out, axes, offset)
}

/** Whether an axis is behind the one that is cut. */
function behind(axis: number, { shape }: Use, cut: Cut): boolean {
  return axis > cutAxis(shape, cut)
}

/** Whether two values have the same size along the axis that is cut, and before. */
function alike(x: Use, out: Use, cut: Cut): boolean {
  const axis = cutAxis(x.shape, cut)
  return axis === cutAxis(out.shape, cut) && x.shape.slice(0, axis + 1).every((size, i) => size === out.shape[i])
}

const slice: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  const { begin } = attributes as { begin: number[] }
  const [from] = slice_util.parseSliceParams(x as never, begin, attributes.size as number[])
  return words(x) ? slicePart(x, out, from as number[], cut) : null
}

const splitV: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const x = inputs.x as Use
  const axis = util.parseAxisParam(attributes.axis as number, x.shape)[0] as number
  if (!behind(axis, x, cut) || !words(x)) return null
  const begin = Array<number>(x.shape.length).fill(0)
  return all(
    outputs.map((out) => {
      const instructions = slicePart(x, out, [...begin], cut)
      begin[axis] = (begin[axis] as number) + (out.shape[axis] as number)
      return instructions
    }),
  )
}

const concat: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const parts = Object.values(inputs)
  const out = outputs[0] as Use
  const axis = util.parseAxisParam(attributes.axis as number, out.shape)[0] as number
  const shape = chunkOf(out.shape, cut)
  if (!behind(axis, out, cut) || !shape || parts.some((part) => part.dtype !== out.dtype || !words(part))) return null
  const outer = util.sizeFromShape(shape.slice(0, axis))
  const row = util.sizeFromShape(shape.slice(axis))
  let offset = 0
  return parts.flatMap((part) => {
    const size = util.sizeFromShape(part.shape.slice(axis))
    const axes = [
      { size: outer, steps: [size, row] },
      { size, steps: [1, 1] },
    ]
    const instructions = copies(part, out, axes, 0, offset)
    offset += size
    return instructions
  })
}

const padV2: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  const { paddings, constantValue } = attributes as { paddings: [number, number][]; constantValue: number }
  const [own, shape] = [chunkOf(x.shape, cut), chunkOf(out.shape, cut)]
  if (!own || !shape || !words(x) || !alike(x, out, cut)) return null
  const [xSteps, outSteps] = [stridesOf(own), stridesOf(shape)]
  const axes = own.map((size, i) => ({ size, steps: [xSteps[i], outSteps[i]] as number[] }))
  const offset = outSteps.reduce((sum, step, i) => sum + step * (paddings[i]?.[0] ?? 0), 0)
  const bits = bitsOf(constantValue, x.dtype as 'float32' | 'int32')
  const size = util.sizeFromShape(shape)
  return [{ kernel: 'fill', operands: [{ part: out }, size, bits] }, ...copies(x, out, axes, 0, offset)]
}

/** One number, again and again. */
const tile: Lowering = ({ inputs, outputs }, cut) => {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  const size = partOf(sizeOf(out), cut)
  if (sizeOf(x) !== 1 || !words(x) || !size) return null
  return [{ kernel: 'copy', operands: [{ whole: x }, { part: out }, 1, 1, 1, size, 0, 0, 0, 0, 0, 0, 0] }]
}

const transpose: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  const { perm } = attributes as { perm: number[] }
  const shape = chunkOf(x.shape, cut)
  if (!shape || !perm.every((from, i) => behind(i, x, cut) || from === i) || !words(x)) return null
  const how = transposition(shape, perm)
  if ('copies' in how) return copies(x, out, how.copies)
  return how.calls.map(({ offsets, numbers }) => ({
    kernel: 'transpose',
    operands: [{ part: x, offset: offsets[0] }, { part: out, offset: offsets[1] }, ...numbers],
  }))
}

/** Reduces one run of axes that does not have the first; see kernels/reductions.ts. */
function reduction(name: string, kernel: 'sumColumns' | 'maximumColumns', mean = false): Lowering {
  return ({ inputs, outputs, attributes }: Operation, cut) => {
    const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
    const shape = chunkOf(x.shape, cut)
    const axes = util.parseAxisParam(attributes[name] as number | number[], x.shape).toSorted((a, b) => a - b)
    const [first, last] = [axes[0] ?? 0, axes.at(-1) ?? 0]
    if (!shape || !behind(first, x, cut) || last - first !== axes.length - 1 || x.dtype !== 'float32') return null
    const sizes = [shape.slice(0, first), shape.slice(first, last + 1), shape.slice(last + 1)].map(util.sizeFromShape)
    const [, reduced, inner] = sizes as [number, number, number]
    if (reduced === 0 || (inner > 1 && reduced > MAX_ROWS)) return null
    const operands = [{ part: x }, { part: out }, ...sizes, inner]
    return [{ kernel, operands: kernel === 'sumColumns' ? [...operands, mean ? reduced : 1] : operands }]
  }
}

/** Longer columns are summed in blocks; see kernels/reductions.ts. */
const MAX_ROWS = 1024

/** The kernels copy 32-bit elements. */
function words({ dtype }: Use): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

/** All of them, or null if one is missing. */
function all(lists: (Instruction[] | null)[]): Instruction[] | null {
  return lists.every((list) => list !== null) ? lists.flat() : null
}

export const shapes: Record<string, Lowering> = {
  Slice: slice,
  SplitV: splitV,
  Concat: concat,
  PadV2: padV2,
  Tile: tile,
  Transpose: transpose,
  Sum: reduction('axis', 'sumColumns'),
  Mean: reduction('axis', 'sumColumns', true),
  Max: reduction('reductionIndices', 'maximumColumns'),
}
