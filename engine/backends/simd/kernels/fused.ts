import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'

// Kernels that tfjs does not have; engine/nn/fused.ts calls them by these names.

const gelu: SimdKernel = ({ inputs, backend }) => {
  const x = inputs.x as TensorInfo
  const { wasm, pool } = backend
  const { info, address } = backend.output(x.shape)
  const size = util.sizeFromShape(x.shape)
  wasm.geluParts(pool.address, backend.parts(size), backend.address(x), address, size)
  return info
}

const geluGrad: SimdKernel = ({ inputs, backend }) => {
  const [dy, x] = [inputs.dy, inputs.x] as [TensorInfo, TensorInfo]
  const { wasm, pool } = backend
  const { info, address } = backend.output(x.shape)
  const size = util.sizeFromShape(x.shape)
  wasm.geluGradParts(pool.address, backend.parts(size), backend.address(dy), backend.address(x), address, size)
  return info
}

/** Gives the value and, `[..., 1]`, what it was multiplied by. */
const normalize: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  const { rows, dim } = rowsOf(x)
  const value = backend.output(x.shape)
  const scale = backend.output([...x.shape.slice(0, -1), 1])
  const { wasm, pool } = backend
  const places = [backend.address(x), value.address, scale.address] as const
  wasm.normalizeParts(pool.address, backend.parts(rows * dim), ...places, rows, dim, attrs.eps as number)
  return [value.info, scale.info]
}

const normalizeGrad: SimdKernel = ({ inputs, backend }) => {
  const [dy, value, scale] = [inputs.dy, inputs.value, inputs.scale] as [TensorInfo, TensorInfo, TensorInfo]
  const { rows, dim } = rowsOf(value)
  const { info, address } = backend.output(value.shape)
  const given = [dy, value, scale].map((each) => backend.address(each)) as [number, number, number]
  const { wasm, pool } = backend
  wasm.normalizeGradParts(pool.address, backend.parts(rows * dim), ...given, address, rows, dim)
  return info
}

function rowsOf({ shape }: TensorInfo): { rows: number; dim: number } {
  const dim = shape.at(-1) ?? 1
  return { rows: dim === 0 ? 0 : util.sizeFromShape(shape) / dim, dim }
}

export const fusedKernels: SimdKernels = {
  Gelu: gelu,
  GeluGrad: geluGrad,
  Normalize: normalize,
  NormalizeGrad: normalizeGrad,
}
