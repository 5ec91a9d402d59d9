import { broadcast_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { collapse, nest, stepsOf } from './shapeAxes.ts'

/** The order of Op in assembly/binary.ts. */
const NAMES = ['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference']

type Four = [number, number, number, number]

/** The kernel number `op` on two float32 tensors whose shapes broadcast. */
function binary(op: number): SimdKernel {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs.a, inputs.b] as [TensorInfo, TensorInfo]
    if (a.dtype !== 'float32' || b.dtype !== 'float32') return null
    const shape = broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape)
    const { info, address } = backend.output(shape)
    if (util.sizeFromShape(shape) === 0) return info

    const [left, right] = [broadcastSteps(a.shape, shape), broadcastSteps(b.shape, shape)]
    const axes = collapse(shape.map((size, i) => ({ size, steps: [left[i] as number, right[i] as number] })))
    if (axes.length === 0) axes.push({ size: 1, steps: [1, 1] })
    const [aStart, bStart] = [backend.address(a), backend.address(b)]
    let out = address
    nest(axes, ([aOffset = 0, bOffset = 0], inside) => {
      const sizes = inside.map(({ size }) => size) as Four
      const aSteps = inside.map(({ steps }) => steps[0]) as Four
      const bSteps = inside.map(({ steps }) => steps[1]) as Four
      backend.wasm.binary(op, aStart + 4 * aOffset, bStart + 4 * bOffset, out, ...sizes, ...aSteps, ...bSteps)
      out += 4 * util.sizeFromShape(sizes)
    })
    return info
  }
}

/** The steps of an array along the axes of `shape`: 0 where it is broadcast. */
function broadcastSteps(own: number[], shape: number[]): number[] {
  const steps = stepsOf(own)
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
  const add = (left: number, term: TensorInfo) =>
    backend.wasm.binary(0, left, backend.address(term), address, 1, 1, 1, size, 0, 0, 0, 1, 0, 0, 0, 1)
  add(backend.address(first), second)
  for (const term of rest) add(address, term)
  return info
}

export const binaryKernels: SimdKernels = {
  ...Object.fromEntries(NAMES.map((name, op) => [name, binary(op)])),
  AddN: addN,
}
