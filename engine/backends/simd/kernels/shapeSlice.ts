import { backend_util, type StridedSliceAttrs, slice_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { stridesOf } from './shapeAxes.ts'
import { copyStrided } from './shapeCopy.ts'

/** A copy of the part of x from `begin`, of shape `size`; the result has the shape `shape`. */
function part(backend: SimdBackend, x: TensorInfo, begin: number[], size: number[], shape = size): TensorInfo {
  const { info, address } = backend.output(shape, x.dtype as 'float32' | 'int32')
  const [xSteps, outSteps] = [stridesOf(x.shape), stridesOf(size)]
  const axes = size.map((n, i) => ({ size: n, steps: [xSteps[i], outSteps[i]] as number[] }))
  const offset = begin.reduce((sum, index, i) => sum + index * (xSteps[i] as number), 0)
  copyStrided(backend, { address: backend.address(x), offset }, { address }, axes)
  return info
}

function copies({ dtype }: TensorInfo): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

const slice: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (!copies(x)) return null
  const parsed = slice_util.parseSliceParams(x as never, attrs.begin as number[], attrs.size as number[])
  const [begin, size] = parsed as [number[], number[]]
  slice_util.assertParamsValid(x as never, begin, size)
  return part(backend, x, begin, size)
}

/** Without steps a slice; the stock kernel would give out a view of the memory of x. */
const stridedSlice: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (!copies(x)) return null
  const { begin, end, strides, ...masks } = attrs as unknown as StridedSliceAttrs
  const { beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask } = masks
  const kept = [beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask] as const
  const info = slice_util.sliceInfo(x.shape, begin, end, strides, ...kept)
  if (info.isIdentity || !(info.sliceDim0 || info.isSimpleSlice)) return null
  const size = slice_util.computeOutShape(info.begin, info.end, info.strides)
  return part(backend, x, info.begin, size, info.finalShape)
}

const splitV: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (!copies(x)) return null
  const axis = util.parseAxisParam(attrs.axis as number, x.shape)[0] as number
  const sizes = backend_util.prepareSplitSize(x as never, attrs.numOrSizeSplits as number[], axis)
  const begin = Array<number>(x.shape.length).fill(0)
  return sizes.map((size) => {
    const result = part(backend, x, begin, x.shape.with(axis, size))
    begin[axis] = (begin[axis] as number) + size
    return result
  })
}

const unpack: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.value as TensorInfo
  if (!copies(x)) return null
  const axis = util.parseAxisParam(attrs.axis as number, x.shape)[0] as number
  const zeros = Array<number>(x.shape.length).fill(0)
  const [size, shape] = [x.shape.with(axis, 1), x.shape.toSpliced(axis, 1)]
  return Array.from({ length: x.shape[axis] as number }, (_, i) => part(backend, x, zeros.with(axis, i), size, shape))
}

export const sliceKernels: SimdKernels = {
  Slice: slice,
  StridedSlice: stridedSlice,
  SplitV: splitV,
  Unpack: unpack,
}
