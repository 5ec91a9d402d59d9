import { backend_util, type NamedAttrMap, util } from '@tensorflow/tfjs-core'
import { attribute, family, input, one, type Rules, type ShapeRule } from '../rule.ts'

type Four = [number, number, number, number]
type Five = [number, number, number, number, number]
type Pair = number | [number, number]
type Triple = number | [number, number, number]

const common = (attributes: NamedAttrMap) => ({
  pad: attribute<'valid' | 'same' | number>(attributes, 'pad'),
  rounding: attribute<'floor' | 'round' | 'ceil' | undefined>(attributes, 'dimRoundingMode'),
})

/**
 * `[batch, h, w, in]` and `[kh, kw, in, out]`: kh kw in multiply-adds per value of the result; `depthwise`, with
 * `[kh, kw, in, multiplier]`, kh kw.
 */
const conv2d =
  (depthwise: boolean): ShapeRule =>
  (inputs, attributes) => {
    const { shape, dtype } = input(inputs, 'x')
    const filter = input(inputs, 'filter').shape as Four
    const { pad, rounding } = common(attributes)
    const strides = attribute<Pair>(attributes, 'strides')
    const dilations = attribute<Pair | null>(attributes, 'dilations') ?? 1
    const format = backend_util.convertConv2DDataFormat((!depthwise && attribute(attributes, 'dataFormat')) || 'NHWC')
    const sizes = [shape as Four, filter, strides, dilations] as const
    const { outShape } = backend_util.computeConv2DInfo(...sizes, pad, rounding, depthwise, format)
    return one(outShape, dtype, util.sizeFromShape(outShape) * util.sizeFromShape(filter.slice(0, depthwise ? 2 : 3)))
  }

const conv3d: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = input(inputs, 'x')
  const filter = input(inputs, 'filter').shape as Five
  const [strides, dilations] = [attribute<Triple>(attributes, 'strides'), attribute<Triple>(attributes, 'dilations')]
  const pad = attribute<'valid' | 'same'>(attributes, 'pad')
  const { outShape } = backend_util.computeConv3DInfo(shape as Five, filter, strides, dilations, pad)
  return one(outShape, dtype, util.sizeFromShape(outShape) * util.sizeFromShape(filter.slice(0, 4)))
}

/** The gradient of a convolution, which has the shape that an attribute says; as many multiply-adds as forward. */
const convGradient =
  (wanted: 'inputShape' | 'filterShape', each: (filter: number[]) => number[]): ShapeRule =>
  (inputs, attributes) => {
    const dy = input(inputs, 'dy')
    const filter = wanted === 'filterShape' ? attribute<number[]>(attributes, wanted) : input(inputs, 'filter').shape
    const macs = util.sizeFromShape(dy.shape) * util.sizeFromShape(each(filter))
    return one(attribute<number[]>(attributes, wanted), dy.dtype, macs)
  }

const allButLast = (filter: number[]) => filter.slice(0, -1)
const window = (filter: number[]) => filter.slice(0, 2)

const pool2d: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = input(inputs, 'x')
  const { pad, rounding } = common(attributes)
  const [size, strides] = [
    attribute<[number, number]>(attributes, 'filterSize'),
    attribute<Pair>(attributes, 'strides'),
  ]
  const { outShape } = backend_util.computePool2DInfo(shape as Four, size, strides, 1, pad, rounding)
  return one(outShape, dtype)
}

const pool3d: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = input(inputs, 'x')
  const { pad, rounding } = common(attributes)
  const size = attribute<[number, number, number]>(attributes, 'filterSize')
  const strides = attribute<Triple>(attributes, 'strides')
  const { outShape } = backend_util.computePool3DInfo(shape as Five, size, strides, 1, pad, rounding)
  return one(outShape, dtype)
}

const poolGradient: ShapeRule = (inputs) => one(input(inputs, 'input').shape, input(inputs, 'dy').dtype)

/** `[batch, h, w, channels]` and `[kh, kw, channels]`. */
const dilation: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = input(inputs, 'x')
  const filter = input(inputs, 'filter').shape as [number, number, number]
  const [strides, dilations] = [attribute<Pair>(attributes, 'strides'), attribute<Pair>(attributes, 'dilations')]
  const pad = attribute<'valid' | 'same'>(attributes, 'pad')
  const { outShape } = backend_util.computeDilation2DInfo(shape as Four, filter, strides, pad, 'NHWC', dilations)
  return one(outShape, dtype)
}

/** The gradient of a dilation by one of its inputs. */
const dilationGradient =
  (of: 'x' | 'filter'): ShapeRule =>
  (inputs) =>
    one(input(inputs, of).shape, input(inputs, of).dtype)

/** Convolutions, poolings, dilations and their gradients. */
export const convolutions: Rules = {
  ...family(['Conv2D', 'FusedConv2D'], conv2d(false)),
  ...family(['DepthwiseConv2dNative', 'FusedDepthwiseConv2D'], conv2d(true)),
  Conv3D: conv3d,
  Conv2DBackpropInput: convGradient('inputShape', allButLast),
  Conv2DBackpropFilter: convGradient('filterShape', allButLast),
  DepthwiseConv2dNativeBackpropInput: convGradient('inputShape', window),
  DepthwiseConv2dNativeBackpropFilter: convGradient('filterShape', window),
  Conv3DBackpropInputV2: convGradient('inputShape', allButLast),
  Conv3DBackpropFilterV2: convGradient('filterShape', allButLast),
  ...family(['AvgPool', 'MaxPool'], pool2d),
  ...family(['AvgPool3D', 'MaxPool3D'], pool3d),
  Dilation2D: dilation,
  Dilation2DBackpropInput: dilationGradient('x'),
  Dilation2DBackpropFilter: dilationGradient('filter'),
  ...family(['AvgPoolGrad', 'MaxPoolGrad', 'AvgPool3DGrad'], poolGradient),
}
