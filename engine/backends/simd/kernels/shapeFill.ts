import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The 32 bits of a value of that type, as an integer. */
export function bitsOf(value: number, dtype: 'float32' | 'int32'): number {
  if (dtype === 'int32') return Math.trunc(value) | 0
  float[0] = value
  return bits[0] as number
}

/** A tensor that is `value` everywhere. */
export function filled(backend: SimdBackend, shape: number[], dtype: 'float32' | 'int32', value: number): TensorInfo {
  const { info, address } = backend.output(shape, dtype)
  const value32 = bitsOf(value, dtype)
  share(backend, 'fill', util.sizeFromShape(shape), 1, (i, count) => [address + 4 * i, count, value32])
  return info
}

const fill: SimdKernel = ({ attrs, backend }) => {
  const { shape, value, dtype } = attrs as { shape: number[]; value: number; dtype: string }
  if ((dtype !== 'float32' && dtype !== 'int32') || typeof value !== 'number') return null
  return filled(backend, shape, dtype, value)
}

/** A tensor like x that is `value` everywhere. */
function like(value: number): SimdKernel {
  return ({ inputs, backend }) => {
    const x = inputs.x as TensorInfo
    if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
    return filled(backend, x.shape, x.dtype, value)
  }
}

export const fillKernels: SimdKernels = { Fill: fill, ZerosLike: like(0), OnesLike: like(1) }
