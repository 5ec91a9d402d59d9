import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock } from '../gradient.ts'
import { refuse } from '../refused.ts'
import { everyEntry, padded, spreadOut } from './moving.ts'

type Lengths = number | number[]
interface Window {
  filterSize: Lengths
  strides: Lengths
  pad: 'valid' | 'same' | number
  dimRoundingMode?: 'floor' | 'round' | 'ceil'
}

const { computePool2DInfo, computePool3DInfo } = tf.backend_util

/** How many entries of one axis each window averages, from where windows begin. */
function counts(out: number, length: number, size: number, stride: number, before: number): number[] {
  return Array.from({ length: out }, (_, i) => {
    const begin = i * stride - before
    return Math.min(begin + size, length) - Math.max(begin, 0)
  })
}

/** A window at a border averages what is inside alone; the kernels of tfjs divide by the whole window. */
function weightedByCounts(dy: tf.Tensor, whole: number, perAxis: number[][]): tf.Tensor {
  const all = perAxis.reduce((product, axis) => product.flatMap((a) => axis.map((b) => a * b)), [1])
  if (all.every((count) => count === whole)) return dy
  const factors = Float32Array.from(all, (count) => whole / count)
  return tf.mul(dy, tf.tensor(factors, [1, ...perAxis.map(({ length }) => length), 1]))
}

const avgPool: Gradient = {
  kernelName: 'AvgPool',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor4D]
    const { filterSize, strides, pad, dimRoundingMode } = attributes as unknown as Window
    refuseRounding('AvgPool', 'avgPool', attributes)
    const pair = (lengths: Lengths) => lengths as number | [number, number]
    const info = computePool2DInfo(x.shape, pair(filterSize), pair(strides), 1, pad, dimRoundingMode)
    const { top, left } = info.padInfo
    const rows = counts(info.outHeight, info.inHeight, info.filterHeight, info.strideHeight, top)
    const columns = counts(info.outWidth, info.inWidth, info.filterWidth, info.strideWidth, left)
    return {
      x: () => {
        const weighted = weightedByCounts(dy as tf.Tensor, info.filterHeight * info.filterWidth, [rows, columns])
        return tf.engine().runKernel('AvgPoolGrad', { dy: weighted, input: x }, {
          filterSize,
          strides,
          pad,
        } as unknown as tf.NamedAttrMap)
      },
    }
  },
}

const avgPool3d: Gradient = {
  kernelName: 'AvgPool3D',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor5D]
    const { filterSize, strides, pad, dimRoundingMode } = attributes as unknown as Window
    refuseRounding('AvgPool3D', 'avgPool3d', attributes)
    const triple = (lengths: Lengths) => lengths as number | [number, number, number]
    const info = computePool3DInfo(x.shape, triple(filterSize), triple(strides), 1, pad, dimRoundingMode)
    const { front, top, left } = info.padInfo
    const along = [
      counts(info.outDepth, info.inDepth, info.filterDepth, info.strideDepth, front),
      counts(info.outHeight, info.inHeight, info.filterHeight, info.strideHeight, top),
      counts(info.outWidth, info.inWidth, info.filterWidth, info.strideWidth, left),
    ]
    return {
      x: () => {
        const whole = info.filterDepth * info.filterHeight * info.filterWidth
        const weighted = weightedByCounts(dy as tf.Tensor, whole, along)
        const given = { filterSize, strides, pad, dimRoundingMode } as unknown as tf.NamedAttrMap
        return tf.engine().runKernel('AvgPool3DGrad', { dy: weighted, input: x }, given)
      },
    }
  },
}

/** Those of tfjs take no dilation: the filter is given with its gaps, which are zeros. */
function dilated(kernelName: string, spatial: number): Gradient {
  const { gradFunc, ...saved } = stock(kernelName)
  return {
    ...saved,
    gradFunc: (dy, inputs, attributes) => {
      refuseRounding(kernelName, kernelName === 'Conv2D' ? 'conv2d' : 'depthwiseConv2d', attributes)
      const [x, filter] = inputs as [tf.Tensor, tf.Tensor]
      const given = (attributes as { dilations?: Lengths }).dilations ?? 1
      const dilations = Array.isArray(given) ? given.slice(-spatial) : Array.from({ length: spatial }, () => given)
      if (dilations.every((by) => by === 1)) return gradFunc(dy, inputs, attributes)
      const wide = dilations.reduce((filter, by, axis) => {
        const spread = spreadOut(filter, axis, by)
        return tf.slice(
          spread,
          spread.shape.map(() => 0),
          spread.shape.with(axis, (spread.shape[axis] as number) - by + 1),
        )
      }, filter)
      const of = gradFunc(dy, [x, wide], { ...attributes, dilations: dilations.map(() => 1) }) as Record<
        'x' | 'filter',
        () => tf.Tensor
      >
      return {
        x: of.x,
        filter: () =>
          dilations.reduce(
            (gradient, by, axis) => everyEntry(padded(gradient, axis, 0, by - 1), axis, by),
            of.filter(),
          ),
      }
    },
  }
}

/** The same convolution the other way round. */
const conv3dTranspose: Gradient = {
  kernelName: 'Conv3DBackpropInputV2',
  inputsToSave: ['dy', 'filter'],
  gradFunc: (gradient, saved, attributes) => {
    const [dy, filter] = saved as [tf.Tensor5D, tf.Tensor5D]
    const { strides, pad } = attributes as { strides: number | [number, number, number]; pad: 'valid' | 'same' }
    return {
      dy: () => tf.conv3d(gradient as tf.Tensor5D, filter, strides, pad),
      filter: () => {
        const given = { strides, pad, filterShape: filter.shape } as unknown as tf.NamedAttrMap
        return tf.engine().runKernel('Conv3DBackpropFilterV2', { x: gradient as tf.Tensor, dy }, given)
      },
    }
  },
}

/** Where windows that are not whole are rounded up, the kernels of tfjs are wrong: throws. */
function refuseRounding(kernel: string, name: string, attributes: tf.NamedAttrMap): void {
  const { dimRoundingMode } = attributes as unknown as Window
  if (!dimRoundingMode || dimRoundingMode === 'floor') return
  const why = `${name}: has no right gradient with dimRoundingMode '${dimRoundingMode}'; use 'floor', after tf.pad`
  refuse({ kernel, attributes }, why)
}

const maxPool = (ofTfjs: Gradient): Gradient => ({
  ...ofTfjs,
  gradFunc: (dy, saved, attributes) => {
    refuseRounding('MaxPool', 'maxPool', attributes)
    return ofTfjs.gradFunc(dy, saved, attributes)
  },
})

/** Where windows lie over one another, the kernel of tfjs is wrong: throws. */
const maxPool3d: Gradient = {
  kernelName: 'MaxPool3D',
  gradFunc: (_dy, _saved, attributes) => {
    return refuse(
      { kernel: 'MaxPool3D', attributes },
      'maxPool3d: has no right gradient; use tf.maxPool of rows and columns, then of depth',
    )
  },
}

/** Convolutions and poolings. */
export const pictures = (): Gradient[] => [
  avgPool,
  avgPool3d,
  maxPool(stock('MaxPool')),
  maxPool3d,
  dilated('Conv2D', 2),
  dilated('DepthwiseConv2dNative', 2),
  dilated('Conv3D', 3),
  conv3dTranspose,
]
