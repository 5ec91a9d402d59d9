import { broadcast_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import { type Four, share, shareLoop } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { collapse, nest, stridesOf } from './shapeAxes.ts'

/** The order of Op in assembly/binary.ts. The last ones give 1 and 0; see program/masks.ts. */
export const BINARY = [
  ...['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'],
  ...['MaskGreater', 'MaskGreaterEqual', 'MaskEqual', 'MaskNotEqual'],
]

type Three = [a: number, b: number, out: number]

/** One call of the kernel: elements to skip in a, b and out, then sizes and the steps of a and b. */
export interface BinaryCall {
  offsets: [a: number, b: number, out: number]
  numbers: [...Four, ...Four, ...Four]
}

/** The calls for operands of these shapes with a result of `shape`; more than one for more than four axes. */
export function binaryCalls(a: number[], b: number[], shape: number[]): BinaryCall[] {
  if (util.sizeFromShape(shape) === 0) return []
  const [left, right] = [broadcastSteps(a, shape), broadcastSteps(b, shape)]
  const axes = collapse(shape.map((size, i) => ({ size, steps: [left[i] as number, right[i] as number] })))
  if (axes.length === 0) axes.push({ size: 1, steps: [1, 1] })
  const calls: BinaryCall[] = []
  let out = 0
  nest(axes, ([aOffset = 0, bOffset = 0], inside) => {
    const sizes = inside.map(({ size }) => size) as Four
    const aSteps = inside.map(({ steps }) => steps[0]) as Four
    const bSteps = inside.map(({ steps }) => steps[1]) as Four
    calls.push({ offsets: [aOffset, bOffset, out], numbers: [...sizes, ...aSteps, ...bSteps] })
    out += util.sizeFromShape(sizes)
  })
  return calls
}

/** The kernel number `op` on two float32 tensors whose shapes broadcast. */
function binary(op: number): SimdKernel {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs.a, inputs.b] as [TensorInfo, TensorInfo]
    if (a.dtype !== 'float32' || b.dtype !== 'float32') return null
    const shape = broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape)
    const { info, address } = backend.output(shape)
    const starts: Three = [backend.address(a), backend.address(b), address]
    const size = util.sizeFromShape(shape)
    const [aStep, bStep] = [flatStep(a.shape, size), flatStep(b.shape, size)]
    if (aStep !== null && bStep !== null) flat(backend, op, starts, size, aStep, bStep)
    else nested(backend, op, starts, a.shape, b.shape, shape)
    return info
  }
}

/** The step through an operand that has as many elements as the result, or a single one; null for others. */
function flatStep(shape: number[], size: number): 0 | 1 | null {
  const own = util.sizeFromShape(shape)
  if (own === size) return 1
  return own === 1 ? 0 : null
}

/** For `size` elements, through which each operand goes with its step. */
function flat(backend: SimdBackend, op: number, [a, b, out]: Three, size: number, aStep: 0 | 1, bStep: 0 | 1): void {
  share(backend, 'binary', size, 1, (i, count) => {
    const [left, right] = [a + 4 * i * aStep, b + 4 * i * bStep]
    return [op, left, right, out + 4 * i, 1, 1, 1, count, 0, 0, 0, aStep, 0, 0, 0, bStep]
  })
}

/** For operands of these shapes. */
function nested(backend: SimdBackend, op: number, [a, b, out]: Three, ...shapes: [number[], number[], number[]]): void {
  for (const { offsets, numbers } of binaryCalls(...shapes)) {
    const addresses: Three = [a + 4 * offsets[0], b + 4 * offsets[1], out + 4 * offsets[2]]
    const [sizes, aSteps, bSteps] = [0, 4, 8].map((from) => numbers.slice(from, from + 4)) as [Four, Four, Four]
    const loop = { addresses, sizes, steps: [aSteps, bSteps, stridesOf(sizes) as Four] }
    shareLoop(backend, 'binary', loop, (starts, part) => [op, ...starts, ...part, ...aSteps, ...bSteps])
  }
}

/** The steps of an array along the axes of `shape`: 0 where it is broadcast. */
function broadcastSteps(own: number[], shape: number[]): number[] {
  const steps = stridesOf(own)
  const missing = shape.length - own.length
  return shape.map((_, i) => (i < missing || own[i - missing] === 1 ? 0 : (steps[i - missing] as number)))
}

/** The sum of tensors of one shape, in their order. */
const addN: SimdKernel = ({ inputs, backend }) => {
  const terms = Object.values(inputs) as TensorInfo[]
  const [first, second, ...rest] = terms
  if (!first || !second || terms.some(({ dtype }) => dtype !== 'float32')) return null
  const { info, address } = backend.output(first.shape)
  const size = util.sizeFromShape(first.shape)
  flat(backend, 0, [backend.address(first), backend.address(second), address], size, 1, 1)
  for (const term of rest) flat(backend, 0, [address, backend.address(term), address], size, 1, 1)
  return info
}

export const binaryKernels: SimdKernels = {
  ...Object.fromEntries(BINARY.map((name, op) => [name, binary(op)])),
  AddN: addN,
}
