import { backend_util, slice_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import { attribute, family, first, one, type Rules, type ShapeRule } from '../rule.ts'

const same: ShapeRule = (inputs) => one(first(inputs).shape, first(inputs).dtype)

const reshape: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const wanted = util.inferFromImplicitShape(attribute<number[]>(attributes, 'shape'), util.sizeFromShape(shape))
  return { ...one(wanted, dtype), view: true }
}

const expandDims: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const at = attribute<number>(attributes, 'dim')
  return { ...one(shape.toSpliced(at < 0 ? shape.length + 1 + at : at, 0, 1), dtype), view: true }
}

const splitV: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const along = util.parseAxisParam(attribute<number>(attributes, 'axis'), shape)[0] as number
  const sizes = backend_util.prepareSplitSize(
    first(inputs) as Parameters<typeof backend_util.prepareSplitSize>[0],
    attribute<number | number[]>(attributes, 'numOrSizeSplits'),
    along,
  )
  return { output: sizes.map((size) => ({ shape: shape.with(along, size), dtype })) }
}

const concat: ShapeRule = (inputs, attributes) => {
  const shapes = Object.values(inputs).map((each) => (each as TensorInfo).shape)
  const along = util.parseAxisParam(attribute<number>(attributes, 'axis'), shapes[0] as number[])[0] as number
  backend_util.assertParamsConsistent(shapes, along)
  return one(backend_util.computeOutShape(shapes, along), first(inputs).dtype)
}

const pack: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const axis = attribute<number>(attributes, 'axis')
  const at = axis < 0 ? axis + shape.length + 1 : axis
  return one(shape.toSpliced(at, 0, Object.keys(inputs).length), dtype)
}

const unpack: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const axis = attribute<number>(attributes, 'axis')
  const at = axis < 0 ? axis + shape.length : axis
  return { output: Array.from({ length: shape[at] as number }, () => ({ shape: shape.toSpliced(at, 1), dtype })) }
}

const slice: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const given = first(inputs) as Parameters<typeof slice_util.parseSliceParams>[0]
  const wanted = [attribute<number[]>(attributes, 'begin'), attribute<number[]>(attributes, 'size')] as const
  const [begin, size] = slice_util.parseSliceParams(given, ...wanted) as [number[], number[]]
  slice_util.assertParamsValid({ ...given, shape, rank: shape.length } as typeof given, begin, size)
  return one(size, dtype)
}

const stridedSlice: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const mask = (name: string) => attribute<number>(attributes, name)
  const list = (name: string) => attribute<number[]>(attributes, name)
  const stretch = [list('begin'), list('end'), list('strides')] as const
  const masks = [mask('beginMask'), mask('endMask'), mask('ellipsisMask'), mask('newAxisMask')] as const
  const { finalShape } = slice_util.sliceInfo(shape, ...stretch, ...masks, mask('shrinkAxisMask'))
  return one(finalShape, dtype)
}

const pad: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const paddings = attribute<[number, number][]>(attributes, 'paddings')
  const padded = shape.map((length, i) => length + sum(paddings[i]))
  return one(padded, dtype)
}

/** `[batch, h, w, c]` to `[batch, h * block, w * block, c / block^2]`. */
const depthToSpace: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const block = attribute<number>(attributes, 'blockSize')
  const [batch, height, width, channels] = shape as [number, number, number, number]
  return one([batch, height * block, width * block, channels / block ** 2], dtype)
}

const spaceToBatch: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const block = attribute<number[]>(attributes, 'blockShape')
  const paddings = attribute<[number, number][]>(attributes, 'paddings')
  const [batch, ...rest] = shape as [number, ...number[]]
  const spatial = rest.map((length, i) => (length + sum(paddings[i])) / (block[i] ?? 1))
  return one([batch * util.sizeFromShape(block), ...spatial], dtype)
}

const batchToSpace: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const block = attribute<number[]>(attributes, 'blockShape')
  const crops = attribute<[number, number][]>(attributes, 'crops')
  const [batch, ...rest] = shape as [number, ...number[]]
  const spatial = rest.map((length, i) => length * (block[i] ?? 1) - sum(crops[i]))
  return one([batch / util.sizeFromShape(block), ...spatial], dtype)
}

const sum = (pair: [number, number] | undefined) => (pair ? pair[0] + pair[1] : 0)

/** Operations that move values and change none. */
export const shaping: Rules = {
  Identity: (inputs, attributes) => ({ ...same(inputs, attributes), view: true }),
  Reshape: reshape,
  ExpandDims: expandDims,
  ...family(['Cumprod', 'Cumsum', 'FlipLeftRight', 'Reverse', 'RotateWithOffset'], same),
  Transpose: (inputs, attributes) => {
    const { shape, dtype } = first(inputs)
    const turned = attribute<number[]>(attributes, 'perm').map((axis) => shape[axis] as number)
    return one(turned, dtype)
  },
  Tile: (inputs, attributes) => {
    const { shape, dtype } = first(inputs)
    const reps = attribute<number[]>(attributes, 'reps')
    const tiled = shape.map((length, i) => length * (reps[i] as number))
    return one(tiled, dtype)
  },
  SplitV: splitV,
  Concat: concat,
  Pack: pack,
  Unpack: unpack,
  Slice: slice,
  StridedSlice: stridedSlice,
  ...family(['MirrorPad', 'PadV2'], pad),
  DepthToSpace: depthToSpace,
  SpaceToBatchND: spaceToBatch,
  BatchToSpaceND: batchToSpace,
}
