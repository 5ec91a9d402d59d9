import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'

export interface KernelCall {
  inputs: NamedTensorInfoMap
  attrs: NamedAttrMap
  backend: SimdBackend
}

/** A kernel of ours: the result, or null where the stock kernel has to do it (other types, rare shapes). */
export type SimdKernel = (call: KernelCall) => TensorInfo | TensorInfo[] | null

/** Kernels by their tfjs names. */
export type SimdKernels = Readonly<Record<string, SimdKernel>>
