import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import type { Exports } from '../binary.ts'
import { isProduct, patchGradRoom, patchRoom, turnedFilter } from '../kernels/conv/conv.ts'
import { blocksOf, depthwiseRoom, isDilated } from '../kernels/conv/convDepthwise.ts'
import { type Geometry, geometryOf, turnedGeometry, wordsOf } from '../kernels/conv/convGeometry.ts'
import { windowsOf } from '../kernels/conv/convPool.ts'
import { isWinograd, packedFilter, tilesOf } from '../kernels/conv/convWinograd.ts'
import type { Cut, Instruction, Lowering, OperandAddress } from './instruction.ts'

/** Operations on each image, of which a chunk has `samples`. */
function onImages(
  geometryFor: (operation: Operation) => Geometry | null,
  instruct: (operation: Operation, geometry: Geometry, samples: number, wasm: Exports) => Instruction[] | null,
): Lowering {
  return (operation, { chunks, wasm }: Cut) => {
    const geometry = geometryFor(operation)
    if (!geometry || geometry.batch % chunks) return null
    return instruct(operation, geometry, geometry.batch / chunks, wasm)
  }
}

/** The geometry of a convolution of images of that shape by a filter of that shape. */
function geometryBy(images: string | Use['shape'], filter: string | Use['shape'], depthwise: boolean) {
  return ({ inputs, attributes }: Operation): Geometry | null => {
    const shapeOf = (of: string | Use['shape']) =>
      typeof of === 'string' ? (inputs[of]?.shape ?? (attributes[of] as number[])) : of
    return geometryOf({ inputs, attrs: attributes }, shapeOf(images), shapeOf(filter), depthwise)
  }
}

/** The operands of kernels of convolutions; `count` is of what they go through. */
function operandsOf(
  geometry: Geometry,
  room: number,
  between: OperandAddress[],
  count: number,
): Instruction['operands'] {
  return [{ words: wordsOf(geometry) }, room > 0 ? { scratch: room } : 0, ...between, 0, count]
}

const depthwise = onImages(geometryBy('x', 'filter', true), ({ inputs, outputs }, geometry, samples, wasm) => {
  const between = [{ part: inputs.x as Use }, { whole: inputs.filter as Use }, { part: outputs[0] as Use }]
  const room = depthwiseRoom(wasm, geometry)
  return [{ kernel: 'depthwise', operands: operandsOf(geometry, room, between, blocksOf(geometry, samples)) }]
})

const depthwiseByInput = onImages(
  geometryBy('inputShape', 'filter', true),
  ({ inputs, outputs }, geometry, samples, wasm) => {
    if (isDilated(geometry)) return null
    const { kernelHeight, kernelWidth, channels } = geometry
    const [taps, turned] = [kernelHeight * kernelWidth, turnedGeometry(geometry)]
    const filter: OperandAddress = {
      packed: inputs.filter as Use,
      by: {
        kernel: 'copy',
        size: taps * channels,
        offset: (taps - 1) * channels,
        numbers: [1, 1, taps, channels, 0, 0, -channels, 1, 0, 0, channels],
      },
    }
    const between = [{ part: inputs.dy as Use }, filter, { part: outputs[0] as Use }]
    const room = depthwiseRoom(wasm, turned)
    return [{ kernel: 'depthwise', operands: operandsOf(turned, room, between, blocksOf(turned, samples)) }]
  },
)

/** The gradient by the filter of each example. */
const depthwiseByFilter = onImages(
  geometryBy('x', 'filterShape', true),
  ({ inputs, outputs }, geometry, samples, wasm) => {
    if (isDilated(geometry)) return null
    const between = [inputs.x, inputs.dy, outputs[0]].map((part) => ({ part: part as Use }))
    const room = depthwiseRoom(wasm, geometry)
    const operands = operandsOf(geometry, room, between, blocksOf(geometry, samples))
    return [{ kernel: 'depthwiseGradFilter', operands }]
  },
)

const conv2D = onImages(geometryBy('x', 'filter', false), ({ inputs, outputs }, geometry, samples, wasm) => {
  const [x, out] = [{ part: inputs.x as Use }, { part: outputs[0] as Use }]
  return convolution(geometry, x, inputs.filter as Use, out, samples, wasm, false)
})

const conv2DByInput = onImages(
  geometryBy('inputShape', 'filter', false),
  ({ inputs, outputs }, geometry, samples, wasm) => {
    const [dy, dx] = [{ part: inputs.dy as Use }, { part: outputs[0] as Use }]
    const filter = inputs.filter as Use
    if (isWinograd(geometry)) return convolution(turnedGeometry(geometry), dy, filter, dx, samples, wasm, true)
    if (isProduct(geometry)) return null
    if (geometry.strideHeight === 1 && geometry.strideWidth === 1) {
      const turned = turnedGeometry(geometry)
      const by = { kernel: 'transpose', size: sizeOf(filter), ...turnedFilter(geometry) } as const
      const operands = operandsOf(
        turned,
        patchRoom(wasm, turned),
        [dy, { packed: filter, by }, dx],
        pixels(turned, samples),
      )
      return [{ kernel: 'conv2d', operands }]
    }
    const operands = operandsOf(geometry, patchGradRoom(wasm, geometry), [dy, { whole: filter }, dx], samples)
    return [{ kernel: 'conv2dGradInput', operands }]
  },
)

/** A convolution in tiles or by patches; `turned` for that of the gradient by the output. */
function convolution(
  geometry: Geometry,
  x: OperandAddress,
  filter: Use,
  out: OperandAddress,
  samples: number,
  wasm: Exports,
  turned: boolean,
): Instruction[] | null {
  if (isProduct(geometry)) return null // a product, with the groups of its gradient
  if (!isWinograd(geometry)) {
    const operands = operandsOf(
      geometry,
      patchRoom(wasm, geometry),
      [x, { whole: filter }, out],
      pixels(geometry, samples),
    )
    return [{ kernel: 'conv2d', operands }]
  }
  const { channels, outChannels } = geometry
  const numbers = [channels, outChannels, Number(turned)]
  const packed = { packed: filter, by: { kernel: 'winogradFilter', size: packedFilter(geometry), numbers } as const }
  const operands = operandsOf(geometry, wasm.winogradScratch(channels), [x, packed, out], tilesOf(geometry, samples))
  return [{ kernel: 'winograd', operands }]
}

function pixels({ outHeight, outWidth }: Geometry, samples: number): number {
  return samples * outHeight * outWidth
}

function pool(kernel: 'averagePool' | 'maximumPool', taps: boolean): Lowering {
  return onImages(
    ({ inputs, attributes }) => windowsOf({ inputs, attrs: attributes }, inputs.x?.shape as number[]),
    ({ inputs, outputs }, geometry, samples) => {
      const [x, out] = [{ part: inputs.x as Use }, { part: outputs[0] as Use }]
      const rows = samples * geometry.outHeight
      const places = taps ? [out, 0] : [0, out]
      return [{ kernel, operands: [{ words: wordsOf(geometry) }, 0, x, ...places, 0, rows] }]
    },
  )
}

/** The gradient of the largest of windows, from the taps where these are. */
const maximumByTaps = onImages(
  ({ inputs, attributes }) => {
    return windowsOf({ inputs: { dy: inputs.dy }, attrs: attributes }, attributes.inputShape as number[])
  },
  ({ inputs, outputs }, geometry, samples) => {
    const between = [inputs.dy, inputs.taps, outputs[0]].map((part) => ({ part: part as Use }))
    return [{ kernel: 'maximumPoolGrad', operands: operandsOf(geometry, 0, between, samples * geometry.height) }]
  },
)

export const convolutions: Record<string, Lowering> = {
  DepthwiseConv2dNative: depthwise,
  DepthwiseConv2dNativeBackpropInput: depthwiseByInput,
  DepthwiseGradOfEach: depthwiseByFilter,
  Conv2D: conv2D,
  Conv2DBackpropInput: conv2DByInput,
  AvgPool: pool('averagePool', false),
  MaxPool: pool('maximumPool', false),
  MaxPoolTaps: pool('maximumPool', true),
  MaxPoolGradByTaps: maximumByTaps,
}

/** Sums of more examples are taken in blocks; see kernels/reductions.ts. */
const MOST = 1024

/**
 * An operation as two that a stage can do, or one of them: the gradient by the filter of a convolution of each channel as
 * those of each example and their sum, that of pooling as where the largest are and what comes of it. `value` names what
 * passes between them; null for other operations.
 */
export function splitConvolution(
  { kernel, attributes, inputs, outputs }: Operation,
  value: number,
): Operation[] | null {
  if (kernel === 'DepthwiseConv2dNativeBackpropFilter') {
    const { x, dy } = inputs as { x: Use; dy: Use }
    const batch = x.shape[0] as number
    if (batch < 2 || batch > MOST) return null
    const each: Use = { value, shape: [batch, ...(attributes.filterShape as number[])], dtype: 'float32' }
    return [
      { kernel: 'DepthwiseGradOfEach', attributes, inputs: { x, dy }, outputs: [each] },
      { kernel: 'Sum', attributes: { axis: [0], keepDims: false }, inputs: { x: each }, outputs },
    ]
  }
  if (kernel !== 'MaxPoolGrad') return null
  const { dy, input: x } = inputs as { dy: Use; input: Use }
  const taps: Use = { value, shape: dy.shape, dtype: 'int32' }
  return [
    { kernel: 'MaxPoolTaps', attributes, inputs: { x }, outputs: [taps] },
    { kernel: 'MaxPoolGradByTaps', attributes: { ...attributes, inputShape: x.shape }, inputs: { dy, taps }, outputs },
  ]
}
