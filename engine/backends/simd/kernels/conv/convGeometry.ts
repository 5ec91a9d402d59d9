import { backend_util, type NamedAttrMap } from '@tensorflow/tfjs-core'

/** The words of Geometry in assembly/convGeometry.ts, in their order. */
export const GEOMETRY = [
  'height',
  'width',
  'channels',
  'top',
  'left',
  'spreadHeight',
  'spreadWidth',
  'kernelHeight',
  'kernelWidth',
  'strideHeight',
  'strideWidth',
  'dilationHeight',
  'dilationWidth',
  'outHeight',
  'outWidth',
  'outChannels',
  'rows',
] as const

/** Floats of the patches that are made at a time: they stay in the L2 cache. */
const PATCHES = 32_768

/** A convolution; what the words mean is in assembly/convGeometry.ts. */
export type Geometry = Readonly<Record<(typeof GEOMETRY)[number] | 'batch', number>>

/** Attributes that tfjs passes to the kernels of convolutions; not every kernel has all of them. */
interface Attributes {
  strides: number | [number, number]
  pad: 'valid' | 'same' | number | backend_util.ExplicitPadding
  dataFormat?: 'NHWC' | 'NCHW'
  dilations?: number | [number, number] | null
  dimRoundingMode?: 'floor' | 'round' | 'ceil'
}

/** What is known of a call before its tensors are there. */
export interface ConvolutionCall {
  inputs: Record<string, { dtype: string } | undefined>
  attrs: NamedAttrMap
}

/**
 * The geometry; null for what is left to the stock kernels: other types, channels first, nothing to compute, or several
 * outputs of a channel.
 */
export function geometryOf(
  { inputs, attrs }: ConvolutionCall,
  x: number[],
  filter: number[],
  depthwise = false,
): Geometry | null {
  const { strides, pad, dataFormat, dilations, dimRoundingMode } = attrs as unknown as Attributes
  if (dataFormat === 'NCHW' || Object.values(inputs).some((tensor) => tensor?.dtype !== 'float32')) return null
  type Shape = [number, number, number, number]
  const shapes = [x, filter] as [Shape, Shape]
  const info = backend_util.computeConv2DInfo(...shapes, strides, dilations ?? 1, pad, dimRoundingMode, depthwise)
  const { inHeight, inWidth, inChannels, filterHeight, filterWidth, padInfo } = info
  if ([...x, ...filter, ...info.outShape].some((size) => size <= 0)) return null
  if (depthwise && info.outChannels !== inChannels) return null
  return {
    batch: info.batchSize,
    height: inHeight,
    width: inWidth,
    channels: inChannels,
    top: padInfo.top,
    left: padInfo.left,
    spreadHeight: 1,
    spreadWidth: 1,
    kernelHeight: filterHeight,
    kernelWidth: filterWidth,
    strideHeight: info.strideHeight,
    strideWidth: info.strideWidth,
    dilationHeight: info.dilationHeight,
    dilationWidth: info.dilationWidth,
    outHeight: info.outHeight,
    outWidth: info.outWidth,
    outChannels: info.outChannels,
    rows: rowsOf(filterHeight * filterWidth * inChannels),
  }
}

/** The words of a geometry, as kernels read them. */
export function wordsOf(geometry: Geometry): number[] {
  return GEOMETRY.map((word) => geometry[word])
}

/** Patches of `size` floats at a time: a multiple of 12, so that tiles of the product are whole and the rest aligned. */
function rowsOf(size: number): number {
  return 12 * Math.max(4, Math.min(42, Math.floor(PATCHES / size / 12)))
}

/** The convolution without dilation that takes the gradient by the output to that by the input, with the filter turned. */
export function turnedGeometry(geometry: Geometry): Geometry {
  const { kernelHeight, kernelWidth, height, width, channels, outHeight, outWidth, outChannels } = geometry
  return {
    ...geometry,
    height: outHeight,
    width: outWidth,
    channels: outChannels,
    top: kernelHeight - 1 - geometry.top,
    left: kernelWidth - 1 - geometry.left,
    spreadHeight: geometry.strideHeight,
    spreadWidth: geometry.strideWidth,
    strideHeight: 1,
    strideWidth: 1,
    outHeight: height,
    outWidth: width,
    outChannels: channels,
    rows: rowsOf(kernelHeight * kernelWidth * outChannels),
  }
}
