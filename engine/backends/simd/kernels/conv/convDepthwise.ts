import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../../backend.ts'
import type { Exports } from '../../binary.ts'
import { callAll, cut, nanoseconds } from '../../share.ts'
import type { SimdKernel, SimdKernels } from '../kernel.ts'
import { callParts, withSum } from './convCalls.ts'
import { type Geometry, geometryOf, turnedGeometry } from './convGeometry.ts'

// Of as many outputs as channels: other multipliers are left to the stock kernels.

const depthwise: SimdKernel = (call) => {
  const [x, filter] = [call.inputs.x, call.inputs.filter] as [TensorInfo, TensorInfo]
  const geometry = geometryOf(call, x.shape, filter.shape, true)
  if (!geometry) return null
  const { backend } = call
  const { batch, outHeight, outWidth, channels } = geometry
  const { info, address } = backend.output([batch, outHeight, outWidth, channels])
  convolve(backend, geometry, backend.address(x), backend.address(filter), address)
  return info
}

/** A convolution of dy, its pixels a stride apart, by the turned filter. */
const backpropInput: SimdKernel = (call) => {
  const [dy, filter] = [call.inputs.dy, call.inputs.filter] as [TensorInfo, TensorInfo]
  const shape = call.attrs.inputShape as number[]
  const geometry = geometryOf(call, shape, filter.shape, true)
  if (!geometry || isDilated(geometry)) return null
  const { backend } = call
  const { kernelHeight, kernelWidth, channels } = geometry
  const { info, address } = backend.output(shape)
  const [slope, weights] = [backend.address(dy), backend.address(filter)]
  backend.withScratch(4 * util.sizeFromShape(filter.shape), (other) => {
    const taps = kernelHeight * kernelWidth
    const last = weights + 4 * (taps - 1) * channels
    callAll(backend, 'copy', [[last, other, 1, 1, taps, channels, 0, 0, -channels, 1, 0, 0, channels]])
    convolve(backend, turnedGeometry(geometry), slope, other, address)
  })
  return info
}

const backpropFilter: SimdKernel = (call) => {
  const [x, dy] = [call.inputs.x, call.inputs.dy] as [TensorInfo, TensorInfo]
  const shape = call.attrs.filterShape as number[]
  const geometry = geometryOf(call, x.shape, shape, true)
  if (!geometry || isDilated(geometry)) return null
  const { backend } = call
  const { info, address } = backend.output(shape)
  const [image, slope] = [backend.address(x), backend.address(dy)]
  const room = depthwiseRoom(backend.wasm, geometry)
  withSum(backend, geometry.batch, util.sizeFromShape(shape), address, (out) => {
    callParts(backend, 'depthwiseGradFilter', geometry, partsFor(backend, geometry), room, (part) => {
      return [image, slope, out, part.from, part.from + part.count]
    })
  })
  return info
}

function convolve(backend: SimdBackend, geometry: Geometry, x: number, filter: number, out: number): void {
  callParts(
    backend,
    'depthwise',
    geometry,
    partsFor(backend, geometry),
    depthwiseRoom(backend.wasm, geometry),
    (part) => {
      return [x, filter, out, part.from, part.from + part.count]
    },
  )
}

/** Parts of the blocks. */
function partsFor(backend: SimdBackend, geometry: Geometry) {
  const { batch, channels, outHeight, outWidth, kernelHeight, kernelWidth } = geometry
  const multiplyAdds = batch * outHeight * outWidth * channels * kernelHeight * kernelWidth
  return cut(blocksOf(geometry, batch), backend.parts(nanoseconds('depthwise', multiplyAdds)))
}

/** Blocks of so many samples: four channels of one. */
export function blocksOf({ channels }: Geometry, samples: number): number {
  return samples * Math.ceil(channels / 4)
}

/** Bytes of scratch of a call. */
export function depthwiseRoom(wasm: Exports, geometry: Geometry): number {
  const { outHeight, outWidth, kernelHeight, kernelWidth, strideHeight, strideWidth } = geometry
  const { dilationHeight, dilationWidth } = geometry
  const sizes = [outHeight, outWidth, kernelHeight, kernelWidth, strideHeight, strideWidth] as const
  return wasm.depthwiseScratch(...sizes, dilationHeight, dilationWidth)
}

export function isDilated({ dilationHeight, dilationWidth }: Geometry): boolean {
  return dilationHeight > 1 || dilationWidth > 1
}

export const depthwiseKernels: SimdKernels = {
  DepthwiseConv2dNative: depthwise,
  DepthwiseConv2dNativeBackpropInput: backpropInput,
  DepthwiseConv2dNativeBackpropFilter: backpropFilter,
}
