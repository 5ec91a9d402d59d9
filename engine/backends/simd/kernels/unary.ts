import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** The order of Op in assembly/unary.ts. */
export const UNARY = [
  'Neg',
  'Square',
  'Sqrt',
  'Rsqrt',
  'Exp',
  'Erf',
  'Tanh',
  'Sigmoid',
  'Relu',
  'Abs',
  'Reciprocal',
  'Step',
  'Sin',
  'Cos',
]

/** The kernel number `op` on each element of a float32 tensor. */
function unary(op: number): SimdKernel {
  return ({ inputs, attrs, backend }) => {
    const x = inputs.x as TensorInfo
    if (x.dtype !== 'float32' || attrs.alpha) return null // alpha: the value of Step for negative x
    const { info, address } = backend.output(x.shape)
    const from = backend.address(x)
    share(backend, 'unary', util.sizeFromShape(x.shape), 1, (i, count) => [op, from + 4 * i, address + 4 * i, count])
    return info
  }
}

const log: SimdKernel = ({ inputs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32') return null
  const { info, address } = backend.output(x.shape)
  const from = backend.address(x)
  share(backend, 'logarithm', util.sizeFromShape(x.shape), 1, (i, count) => [from + 4 * i, address + 4 * i, count])
  return info
}

export const unaryKernels: SimdKernels = {
  ...Object.fromEntries(UNARY.map((name, op) => [name, unary(op)])),
  Log: log,
}
