import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../../backend.ts'
import type { Exports } from '../../binary.ts'
import { callAll, cut, nanoseconds } from '../../share.ts'
import type { KernelCall, SimdKernel, SimdKernels } from '../kernel.ts'
import { matmulKernels } from '../matmul.ts'
import { callParts, withSum } from './convCalls.ts'
import { type Geometry, geometryOf, turnedGeometry } from './convGeometry.ts'
import { convolveTiles, gradFilterOfTiles, isWinograd } from './convWinograd.ts'

/** Parts of the pixels begin at multiples of the tile; see assembly/matmulTile.ts. */
const TILE_ROWS = 6
/** Partial sums of the gradient by a filter: 8, or fewer, if all would be more floats than this, but at least 2. */
const PARTIAL_FLOATS = 2 ** 22

const conv2D: SimdKernel = (call) => {
  const [x, filter] = [call.inputs.x, call.inputs.filter] as [TensorInfo, TensorInfo]
  const geometry = geometryOf(call, x.shape, filter.shape)
  if (!geometry) return null
  const { batch, outHeight, outWidth, outChannels } = geometry
  const shape = [batch, outHeight, outWidth, outChannels]
  if (isProduct(geometry)) return asProduct(call, shape, x, filter)
  const { backend } = call
  const { info, address } = backend.output(shape)
  const operands = [backend.address(x), backend.address(filter), address] as const
  if (isWinograd(geometry)) convolveTiles(backend, geometry, ...operands, false)
  else convolve(backend, geometry, ...operands)
  return info
}

/** With stride 1 a convolution of dy by the turned filter, else patches of dx from products, sample by sample. */
const conv2DBackpropInput: SimdKernel = (call) => {
  const [dy, filter] = [call.inputs.dy, call.inputs.filter] as [TensorInfo, TensorInfo]
  const shape = call.attrs.inputShape as number[]
  const geometry = geometryOf(call, shape, filter.shape)
  if (!geometry) return null
  if (isProduct(geometry)) return asProduct(call, shape, dy, filter, false, true)
  const { backend } = call
  const { info, address } = backend.output(shape)
  const [slope, weights] = [backend.address(dy), backend.address(filter)]
  const { batch, strideHeight, strideWidth } = geometry
  if (isWinograd(geometry)) {
    convolveTiles(backend, turnedGeometry(geometry), slope, weights, address, true)
    return info
  }
  if (strideHeight === 1 && strideWidth === 1) {
    backend.withScratch(4 * util.sizeFromShape(filter.shape), (other) => {
      const { offset, numbers } = turnedFilter(geometry)
      callAll(backend, 'transpose', [[weights + 4 * offset, other, ...numbers]])
      convolve(backend, turnedGeometry(geometry), slope, other, address)
    })
    return info
  }
  const room = patchGradRoom(backend.wasm, geometry)
  const parts = cut(batch, partsOf(backend, geometry))
  callParts(backend, 'conv2dGradInput', geometry, parts, room, ({ from, count }) => {
    return [slope, weights, address, from, from + count]
  })
  return info
}

/** Row by row of the filter; in sums over shares of the pixels, as many whatever the number of threads. */
const conv2DBackpropFilter: SimdKernel = (call) => {
  const [x, dy] = [call.inputs.x, call.inputs.dy] as [TensorInfo, TensorInfo]
  const shape = call.attrs.filterShape as number[]
  const geometry = geometryOf(call, x.shape, shape)
  if (!geometry) return null
  if (isProduct(geometry)) return asProduct(call, shape, x, dy, true, false)
  const { backend } = call
  const { info, address } = backend.output(shape)
  const [image, slope] = [backend.address(x), backend.address(dy)]
  if (isWinograd(geometry)) {
    gradFilterOfTiles(backend, geometry, image, slope, address)
    return info
  }
  const { batch, outHeight, outWidth, kernelHeight, kernelWidth, channels, outChannels, rows } = geometry
  const width = kernelWidth * channels
  const [line, size] = [width * outChannels, kernelHeight * width * outChannels]
  const sums = Math.max(2, Math.min(8, Math.floor(PARTIAL_FLOATS / size)))
  const shares = cut(batch * outHeight * outWidth, sums, rows)
  const parts = shares.flatMap((pixels) => Array.from({ length: kernelHeight }, (_, row) => ({ ...pixels, row })))
  // the last patches of a share may be fewer, and a product of fewer rows takes up to 8 floats more for each
  const product = backend.wasm.matmulScratch(width, rows, outChannels) + 32 * rows
  const room = 4 * (rows * width + 4 * Math.ceil(line / 4)) + product
  withSum(backend, shares.length, size, address, (out) => {
    callParts(backend, 'conv2dGradFilter', geometry, parts, room, ({ from, count, row }, i) => {
      return [image, slope, out + 4 * i * line, from, from + count, row]
    })
  })
  return info
}

function convolve(backend: SimdBackend, geometry: Geometry, x: number, filter: number, out: number): void {
  const { batch, outHeight, outWidth } = geometry
  const room = patchRoom(backend.wasm, geometry)
  const parts = cut(batch * outHeight * outWidth, partsOf(backend, geometry), TILE_ROWS)
  callParts(backend, 'conv2d', geometry, parts, room, ({ from, count }) => [x, filter, out, from, from + count])
}

/** Bytes of scratch of a call that takes patches. */
export function patchRoom(wasm: Exports, geometry: Geometry): number {
  const size = patchSize(geometry)
  return 4 * geometry.rows * size + wasm.matmulScratch(geometry.rows, size, geometry.outChannels)
}

/** The same of one that gives them. */
export function patchGradRoom(wasm: Exports, geometry: Geometry): number {
  const size = patchSize(geometry)
  return 4 * geometry.rows * size + wasm.matmulScratch(geometry.rows, geometry.outChannels, size)
}

function patchSize({ kernelHeight, kernelWidth, channels }: Geometry): number {
  return kernelHeight * kernelWidth * channels
}

/** Into how many parts it is cut. */
function partsOf(backend: SimdBackend, geometry: Geometry): number {
  const { batch, outHeight, outWidth, outChannels } = geometry
  return backend.parts(nanoseconds('conv2d', batch * outHeight * outWidth * outChannels * patchSize(geometry)))
}

/** How a filter is turned, for the gradient by the input: from which of its elements on, and the numbers of a transposition. */
export function turnedFilter({ kernelHeight, kernelWidth, channels, outChannels }: Geometry) {
  const [taps, tap] = [kernelHeight * kernelWidth, channels * outChannels]
  const numbers = [1, taps, channels, outChannels, 0, -tap, outChannels, 0, tap, channels] as const
  return { offset: (taps - 1) * tap, numbers }
}

/** Whether patches are the pixels of the input as they lie there. */
export function isProduct({ kernelHeight, kernelWidth, strideHeight, strideWidth, ...geometry }: Geometry): boolean {
  const { height, width, outHeight, outWidth } = geometry
  const single = [kernelHeight, kernelWidth, strideHeight, strideWidth].every((size) => size === 1)
  return single && height === outHeight && width === outWidth
}

/** The product of two tensors as matrices of their last axis, as a tensor of this shape. */
function asProduct(
  { backend }: KernelCall,
  shape: number[],
  left: TensorInfo,
  right: TensorInfo,
  transposeA = false,
  transposeB = false,
): TensorInfo {
  const [a, b] = [left, right].map((tensor) => {
    const columns = tensor.shape.at(-1) as number
    return { ...tensor, shape: [util.sizeFromShape(tensor.shape) / columns, columns] }
  }) as [TensorInfo, TensorInfo]
  const attrs = { transposeA, transposeB }
  const result = matmulKernels.BatchMatMul?.({ inputs: { a, b }, attrs, backend }) as TensorInfo
  return { ...result, shape }
}

export const convKernels: SimdKernels = {
  Conv2D: conv2D,
  Conv2DBackpropInput: conv2DBackpropInput,
  Conv2DBackpropFilter: conv2DBackpropFilter,
}
