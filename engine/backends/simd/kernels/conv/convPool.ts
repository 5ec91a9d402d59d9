import type { TensorInfo } from '@tensorflow/tfjs-core'
import { cut, nanoseconds } from '../../share.ts'
import type { KernelCall, SimdKernel, SimdKernels } from '../kernel.ts'
import { callParts } from './convCalls.ts'
import { type ConvolutionCall, type Geometry, geometryOf } from './convGeometry.ts'

const average: SimdKernel = (call) => pooled(call, 'averagePool')
const maximum: SimdKernel = (call) => pooled(call, 'maximumPool')

function pooled(call: KernelCall, kernel: 'averagePool' | 'maximumPool'): TensorInfo | null {
  const x = call.inputs.x as TensorInfo
  const geometry = windowsOf(call, x.shape)
  if (!geometry) return null
  const { batch, outHeight, outWidth, channels } = geometry
  const { info, address } = call.backend.output([batch, outHeight, outWidth, channels])
  overRows(call, kernel, geometry, batch * outHeight, call.backend.address(x), 0, address)
  return info
}

const maximumGrad: SimdKernel = (call) => {
  const [dy, x] = [call.inputs.dy, call.inputs.input] as [TensorInfo, TensorInfo]
  const geometry = windowsOf(call, x.shape)
  if (!geometry) return null
  const { backend } = call
  const { batch, height, outHeight, outWidth, channels } = geometry
  const { info, address } = backend.output([...x.shape])
  const [image, slope] = [backend.address(x), backend.address(dy)]
  backend.withScratch(4 * batch * outHeight * outWidth * channels, (taps) => {
    overRows(call, 'maximumPool', geometry, batch * outHeight, image, taps, 0)
    overRows(call, 'maximumPoolGrad', geometry, batch * height, slope, taps, address)
  })
  return info
}

/** As a convolution of each channel by itself. */
export function windowsOf(call: ConvolutionCall, x: number[]): Geometry | null {
  const [high, wide] = [call.attrs.filterSize as number | number[]].flat() as [number, number?]
  return geometryOf(call, x, [high, wide ?? high, x[3] as number, 1], true)
}

function overRows(
  { backend }: KernelCall,
  kernel: 'averagePool' | 'maximumPool' | 'maximumPoolGrad',
  geometry: Geometry,
  rows: number,
  a: number,
  b: number,
  out: number,
): void {
  const { outWidth, channels, kernelHeight, kernelWidth } = geometry
  const seen = rows * outWidth * channels * kernelHeight * kernelWidth
  const parts = cut(rows, backend.parts(nanoseconds(kernel, seen)))
  callParts(backend, kernel, geometry, parts, 0, ({ from, count }) => [a, b, out, from, from + count])
}

export const poolKernels: SimdKernels = { AvgPool: average, MaxPool: maximum, MaxPoolGrad: maximumGrad }
