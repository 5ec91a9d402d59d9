import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** The order of Op in assembly/unary.ts. */
const NAMES = ['Neg', 'Square', 'Sqrt', 'Rsqrt', 'Exp', 'Erf', 'Tanh', 'Sigmoid', 'Relu', 'Abs', 'Reciprocal', 'Step']

/** The kernel number `op` on each element of a float32 tensor. */
function unary(op: number): SimdKernel {
  return ({ inputs, attrs, backend }) => {
    const x = inputs.x as TensorInfo
    if (x.dtype !== 'float32' || attrs.alpha) return null // alpha: the value of Step for negative x
    const { info, address } = backend.output(x.shape)
    backend.wasm.unary(op, backend.address(x), address, util.sizeFromShape(x.shape))
    return info
  }
}

const log: SimdKernel = ({ inputs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32') return null
  const { info, address } = backend.output(x.shape)
  backend.wasm.logarithm(backend.address(x), address, util.sizeFromShape(x.shape))
  return info
}

export const unaryKernels: SimdKernels = {
  ...Object.fromEntries(NAMES.map((name, op) => [name, unary(op)])),
  Log: log,
}
