import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The 32 bits of a value of that type, as an integer. */
export function bitsOf(value: number, dtype: 'float32' | 'int32'): number {
  if (dtype === 'int32') return Math.trunc(value) | 0
  float[0] = value
  return bits[0] as number
}

const fill: SimdKernel = ({ attrs, backend }) => {
  const { shape, value, dtype } = attrs as { shape: number[]; value: number; dtype: string }
  if ((dtype !== 'float32' && dtype !== 'int32') || typeof value !== 'number') return null
  const { info, address } = backend.output(shape, dtype)
  backend.wasm.fill(address, util.sizeFromShape(shape), bitsOf(value, dtype))
  return info
}

/** A tensor like x that is `value` everywhere. */
function like(value: number): SimdKernel {
  return ({ inputs, backend }) => {
    const x = inputs.x as TensorInfo
    if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
    const { info, address } = backend.output(x.shape, x.dtype)
    backend.wasm.fill(address, util.sizeFromShape(x.shape), bitsOf(value, x.dtype))
    return info
  }
}

export const fillKernels: SimdKernels = { Fill: fill, ZerosLike: like(0), OnesLike: like(1) }
