import { backend_util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { convolutions } from './convolutions.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'
import { pools } from './pools.ts'

type Five = [number, number, number, number, number]
type Triple = [number, number, number]
type Info = backend_util.Conv3DInfo

const [LEAVE, FILTER_OF_PATCHES, FILTER_OF_SLOPES] = [
  [0, 2, 3, 1, 4],
  [1, 2, 0, 3, 4],
  [1, 2, 3, 0, 4],
]

/** How a convolution of `x` with `filter` goes over a volume. */
function infoOf({ attributes }: Operation, x: number[], filter: number[]): Info {
  const { strides, dilations, pad, dataFormat = 'NDHWC' } = attributes as Record<string, unknown>
  if (dataFormat !== 'NDHWC') throw new Error(`has a convolution with ${dataFormat}, expected NDHWC`)
  const how = [strides as Triple, (dilations as Triple | undefined) ?? 1, pad as 'same'] as const
  return backend_util.computeConv3DInfo(x as Five, filter as Five, ...how)
}

/** The same within the planes, for a convolution or pool of pictures. */
function inPlanes({ padInfo, ...info }: Info): Operation['attributes'] {
  const pad = [
    [0, 0],
    [padInfo.top, padInfo.bottom],
    [padInfo.left, padInfo.right],
    [0, 0],
  ]
  const [filterSize, strides, dilations] = [
    [info.filterHeight, info.filterWidth],
    [info.strideHeight, info.strideWidth],
    [info.dilationHeight, info.dilationWidth],
  ]
  return { filterSize, strides, dilations, pad } as unknown as Operation['attributes']
}

/** The same across the planes, for a pool of pictures with one column. */
function acrossPlanes({ padInfo, ...info }: Info): Operation['attributes'] {
  const pad = [
    [0, 0],
    [padInfo.front, padInfo.back],
    [0, 0],
    [0, 0],
  ]
  const [filterSize, strides] = [
    [info.filterDepth, 1],
    [info.strideDepth, 1],
  ]
  return { filterSize, strides, pad } as unknown as Operation['attributes']
}

/** The planes of a volume as the rows of a picture with one column. */
const column = (use: Use): Use => {
  const [batch, depth] = use.shape as Five
  return { ...use, shape: [batch, depth, 1, sizeOf(use) / Math.max(1, batch * depth)] }
}

/** The planes of all volumes as pictures. */
const planes = (use: Use): Use => {
  const [batch, depth, ...plane] = use.shape as Five
  return { ...use, shape: [batch * depth, ...plane] }
}

/** For each of `depth` planes those of `x` that a window sees there, or, backward, that see it, as channels of one picture. */
function stacked(
  kernel: 'Patches' | 'BackPatches',
  x: Use,
  depth: number,
  info: Info,
  fresh: Fresh,
): [Operation[], Use] {
  const [batch, , height, width, channels] = x.shape as Five
  const size = info.filterDepth
  const patches = fresh([batch, depth, 1, size, 1, height * width * channels], x.dtype)
  const turned = fresh([batch * depth, height, width, size, channels], x.dtype)
  const windows = { stride: [info.strideDepth, 1], dilation: [info.dilationDepth, 1], pad: [info.padInfo.front, 0] }
  const each = { ...patches, shape: [batch * depth, size, height, width, channels] }
  const steps = [
    made(kernel, { [kernel === 'Patches' ? 'x' : 'dy']: column(x) }, patches, windows),
    made('Transpose', { x: each }, turned, { perm: LEAVE }),
  ]
  return [steps, { ...turned, shape: [batch * depth, height, width, size * channels] }]
}

/** A filter with its planes among the channels that go with those of a picture. */
function turnedFilter(filter: Use, perm: number[], fresh: Fresh): [Operation, Use] {
  const shape = perm.map((axis) => filter.shape[axis] as number)
  const turned = fresh(shape)
  const [height, width, a, b, c] = shape as Five
  const flat = perm === FILTER_OF_PATCHES ? [height, width, a * b, c] : [height, width, a, b * c]
  return [made('Transpose', { x: filter }, turned, { perm }), { ...turned, shape: flat }]
}

const ofPictures = (kernel: string, inputs: Operation['inputs'], y: Use, info: Info, fresh: Fresh) =>
  (convolutions[kernel] as Rewrite)(made(kernel, inputs, y, inPlanes(info)), fresh)

function infoOfPool({ attributes }: Operation, x: number[]): Info {
  const { filterSize, strides, pad, dimRoundingMode } = attributes as Record<string, unknown>
  const how = [
    filterSize as Triple,
    strides as Triple,
    1,
    pad as number,
    dimRoundingMode as 'floor' | undefined,
  ] as const
  return backend_util.computePool3DInfo(x as Five, ...how)
}

/** A pool of volumes: across the planes, then within each. */
const pool =
  (kernel: 'AvgPool' | 'MaxPool'): Rewrite =>
  (operation, fresh) => {
    const [x, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const info = infoOfPool(operation, x.shape)
    const [, , height, width, channels] = x.shape as Five
    const between = fresh([y.shape[0] as number, y.shape[1] as number, height, width, channels])
    const rule = pools[kernel] as Rewrite
    return [
      ...rule(made(kernel, { x: column(x) }, column(between), acrossPlanes(info)), fresh),
      ...rule(made(kernel, { x: planes(between) }, planes(y), inPlanes(info)), fresh),
    ]
  }

/** Convolutions and pools of volumes as those of pictures, over views; no view is ever stored. */
export const volumes: Record<string, Rewrite> = {
  Conv3D: (operation, fresh) => {
    const [x, given, y] = [inputOf(operation, 'x'), inputOf(operation, 'filter'), outputOf(operation)]
    const info = infoOf(operation, x.shape, given.shape)
    const [views, stack] = stacked('Patches', x, info.outDepth, info, fresh)
    const [turn, filter] = turnedFilter(given, FILTER_OF_PATCHES, fresh)
    return [...views, turn, ...ofPictures('Conv2D', { x: stack, filter }, planes(y), info, fresh)]
  },
  Conv3DBackpropInputV2: (operation, fresh) => {
    const [dy, given, dx] = [inputOf(operation, 'dy'), inputOf(operation, 'filter'), outputOf(operation)]
    const info = infoOf(operation, dx.shape, given.shape)
    const [views, stack] = stacked('BackPatches', dy, info.inDepth, info, fresh)
    const [turn, filter] = turnedFilter(given, FILTER_OF_SLOPES, fresh)
    return [...views, turn, ...ofPictures('Conv2DBackpropInput', { dy: stack, filter }, planes(dx), info, fresh)]
  },
  Conv3DBackpropFilterV2: (operation, fresh) => {
    const [x, dy, filter] = [inputOf(operation, 'x'), inputOf(operation, 'dy'), outputOf(operation)]
    const info = infoOf(operation, x.shape, filter.shape)
    const [views, stack] = stacked('Patches', x, info.outDepth, info, fresh)
    const [depth, height, width, channels, units] = filter.shape as Five
    const turned = fresh([height, width, depth * channels, units])
    const whole = { ...turned, shape: [height, width, depth, channels, units] }
    return [
      ...views,
      ...ofPictures('Conv2DBackpropFilter', { x: stack, dy: planes(dy) }, turned, info, fresh),
      made('Transpose', { x: whole }, filter, { perm: [2, 0, 1, 3, 4] }),
    ]
  },
  AvgPool3D: pool('AvgPool'),
  MaxPool3D: pool('MaxPool'),
  AvgPool3DGrad: (operation, fresh) => {
    const [dy, dx] = [inputOf(operation, 'dy'), outputOf(operation)]
    const info = infoOfPool(operation, dx.shape)
    const [batch, , height, width, channels] = dx.shape as Five
    const between = fresh([batch, info.outDepth, height, width, channels])
    const rule = pools.AvgPoolGrad as Rewrite
    return [
      ...rule(made('AvgPoolGrad', { dy: planes(dy) }, planes(between), inPlanes(info)), fresh),
      ...rule(made('AvgPoolGrad', { dy: column(between) }, column(dx), acrossPlanes(info)), fresh),
    ]
  },
}
