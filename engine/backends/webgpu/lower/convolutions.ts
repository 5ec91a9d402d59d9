import { backend_util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'
import type { Windows } from './views.ts'

type Four = [number, number, number, number]
type Pair = number | [number, number]

/** How a convolution of `x` with `filter` goes over the image. */
function windowsOf({ attributes }: Operation, x: number[], filter: number[], depthwise: boolean): Windows {
  const { strides, dilations, pad, dimRoundingMode, dataFormat = 'NHWC' } = attributes as Record<string, unknown>
  if (dataFormat !== 'NHWC') throw new Error(`has a convolution with ${dataFormat}, expected NHWC`)
  const info = backend_util.computeConv2DInfo(
    x as Four,
    filter as Four,
    strides as Pair,
    (dilations as Pair | null | undefined) ?? 1,
    pad as number,
    dimRoundingMode as 'floor' | undefined,
    depthwise,
  )
  return {
    stride: [info.strideHeight, info.strideWidth],
    dilation: [info.dilationHeight, info.dilationWidth],
    pad: [info.padInfo.top, info.padInfo.left],
  }
}

/** All places of all windows of `x`, `[batch, windows down, windows across, kernel height, kernel width, channels]`. */
const patchesShape = (x: number[], windows: number[], filter: number[]) => [
  ...windows.slice(0, 3),
  ...filter.slice(0, 2),
  x[3] as number,
]

const flat = (use: Use, columns: number): Use => ({ ...use, shape: [sizeOf(use) / columns, columns] })

const views = (kernel: 'Patches' | 'BackPatches', inputs: Operation['inputs'], patches: Use, windows: Windows) =>
  made(kernel, inputs, patches, windows as unknown as Operation['attributes'])

/** The outputs of each channel, of which there are `count`, along an axis of their own. */
const each = (use: Use, count: number): Use => ({
  ...use,
  shape: [...use.shape.slice(0, -1), (use.shape.at(-1) as number) / count, count],
})

/** The same of a result, for the filter that makes it. */
const apart = (use: Use, filter: Use): Use => each(use, filter.shape[3] as number)

/** Patches times numbers that belong to them, added up to `y` along some axes. */
const weighed = (patches: Use, by: Use, y: Use, axis: number[], fresh: Fresh) => {
  const product = fresh(patches.shape.with(-1, by.shape.at(-1) as number))
  return [made('Multiply', { a: patches, b: by }, product), made('Sum', { x: product }, y, { axis })]
}

const matmul = (a: Use, b: Use, y: Use, transposeA = false) =>
  made('BatchMatMul', { a, b }, flat(y, b.shape[1] as number), { transposeA, transposeB: false })

/** Convolutions as products and sums over views of the image; no view is ever stored. */
export const convolutions: Record<string, Rewrite> = {
  Conv2D: (operation, fresh) => {
    const [x, filter] = [inputOf(operation, 'x'), inputOf(operation, 'filter')]
    const y = outputOf(operation)
    const patches = fresh(patchesShape(x.shape, y.shape, filter.shape))
    const windows = { ...windowsOf(operation, x.shape, filter.shape, false) }
    const terms = sizeOf(filter) / (filter.shape[3] as number)
    return [
      views('Patches', { x }, patches, windows),
      matmul(flat(patches, terms), flat(filter, filter.shape[3] as number), y),
    ]
  },
  Conv2DBackpropFilter: (operation, fresh) => {
    const [x, dy] = [inputOf(operation, 'x'), inputOf(operation, 'dy')]
    const filter = outputOf(operation)
    const patches = fresh(patchesShape(x.shape, dy.shape, filter.shape))
    const windows = windowsOf(operation, x.shape, filter.shape, false)
    const channels = filter.shape[3] as number
    return [
      views('Patches', { x }, patches, windows),
      matmul(flat(patches, sizeOf(filter) / channels), flat(dy, channels), filter, true),
    ]
  },
  Conv2DBackpropInput: (operation, fresh) => {
    const [dy, filter] = [inputOf(operation, 'dy'), inputOf(operation, 'filter')]
    const dx = outputOf(operation)
    const [height, width, channels, units] = filter.shape as Four
    const windows = windowsOf(operation, dx.shape, filter.shape, false)
    const patches = fresh(patchesShape(dy.shape, dx.shape, filter.shape))
    const turned = fresh([height, width, units, channels])
    return [
      views('BackPatches', { dy }, patches, windows),
      made('Transpose', { x: filter }, turned, { perm: [0, 1, 3, 2] }),
      matmul(flat(patches, height * width * units), flat(turned, channels), dx),
    ]
  },
  DepthwiseConv2dNative: (operation, fresh) => {
    const [x, filter, y] = [inputOf(operation, 'x'), inputOf(operation, 'filter'), outputOf(operation)]
    const windows = windowsOf(operation, x.shape, filter.shape, true)
    const patches = fresh(patchesShape(x.shape, y.shape, filter.shape))
    return [
      views('Patches', { x }, patches, windows),
      ...weighed(each(patches, 1), filter, apart(y, filter), [3, 4], fresh),
    ]
  },
  DepthwiseConv2dNativeBackpropFilter: (operation, fresh) => {
    const [x, dy, filter] = [inputOf(operation, 'x'), inputOf(operation, 'dy'), outputOf(operation)]
    const windows = windowsOf(operation, x.shape, filter.shape, true)
    const patches = fresh(patchesShape(x.shape, dy.shape, filter.shape))
    const slopes = apart(dy, filter)
    const ofWindows = { ...slopes, shape: slopes.shape.toSpliced(3, 0, 1, 1) }
    return [
      views('Patches', { x }, patches, windows),
      ...weighed(each(patches, 1), ofWindows, filter, [0, 1, 2], fresh),
    ]
  },
  DepthwiseConv2dNativeBackpropInput: (operation, fresh) => {
    const [dy, filter, dx] = [inputOf(operation, 'dy'), inputOf(operation, 'filter'), outputOf(operation)]
    const windows = windowsOf(operation, dx.shape, filter.shape, true)
    const patches = fresh(patchesShape(dy.shape, dx.shape, filter.shape))
    const of = each(patches, filter.shape[3] as number)
    return [views('BackPatches', { dy }, patches, windows), ...weighed(of, filter, dx, [3, 4, 6], fresh)]
  },
}
