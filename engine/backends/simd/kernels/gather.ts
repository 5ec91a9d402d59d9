import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { bitsOf } from './shapeFill.ts'

/** `[outer, size, inner]` by indices of any shape to `[outer, ...indices, inner]`. */
const gatherV2: SimdKernel = ({ inputs, attrs, backend }) => {
  const [x, indices] = [inputs.x, inputs.indices] as [TensorInfo, TensorInfo]
  if ((x.dtype !== 'float32' && x.dtype !== 'int32') || indices.dtype !== 'int32' || attrs.batchDims) return null
  const axis = util.parseAxisParam(attrs.axis as number, x.shape)[0] as number
  const [before, after] = [x.shape.slice(0, axis), x.shape.slice(axis + 1)]
  const [size, count] = [x.shape[axis] as number, util.sizeFromShape(indices.shape)]
  const chosen = backend.address(indices)
  if (!backend.wasm.inRange(chosen, count, size)) return null // the stock kernel names the index
  const { info, address } = backend.output([...before, ...indices.shape, ...after], x.dtype)
  const [outer, inner] = [util.sizeFromShape(before), util.sizeFromShape(after)]
  const from = backend.address(x)
  if (outer === 1) {
    share(backend, 'gather', count, inner, (i, some) => {
      return [from, chosen + 4 * i, address + 4 * i * inner, 1, size, some, inner]
    })
  } else {
    share(backend, 'gather', outer, count * inner, (i, some) => {
      return [from + 4 * i * size * inner, chosen, address + 4 * i * count * inner, some, size, count, inner]
    })
  }
  return info
}

/** The gradient of gather: `[count, ...]` and the segment of each row to `[segments, ...]`. */
const unsortedSegmentSum: SimdKernel = ({ inputs, attrs, backend }) => {
  const [x, ids] = [inputs.x, inputs.segmentIds] as [TensorInfo, TensorInfo]
  if (x.dtype !== 'float32' || ids.dtype !== 'int32' || ids.shape.length !== 1) return null
  const { numSegments } = attrs as { numSegments: number }
  const [count = 0, ...row] = x.shape
  if (count !== ids.shape[0]) return null
  const { info, address } = backend.output([numSegments, ...row])
  const [from, segments] = [backend.address(x), backend.address(ids)]
  backend.wasm.segmentSum(from, segments, address, count, numSegments, util.sizeFromShape(row))
  return info
}

const oneHot: SimdKernel = ({ inputs, attrs, backend }) => {
  const indices = inputs.indices as TensorInfo
  const { depth, onValue, offValue } = attrs as Record<'depth' | 'onValue' | 'offValue', number>
  const dtype = attrs.dtype as string
  if (indices.dtype !== 'int32' || (dtype !== 'float32' && dtype !== 'int32')) return null
  const { info, address } = backend.output([...indices.shape, depth], dtype)
  const [on, off] = [bitsOf(onValue, dtype), bitsOf(offValue, dtype)]
  const from = backend.address(indices)
  share(backend, 'oneHot', util.sizeFromShape(indices.shape), depth, (i, count) => {
    return [from + 4 * i, address + 4 * i * depth, count, depth, on, off]
  })
  return info
}

export const gatherKernels: SimdKernels = {
  GatherV2: gatherV2,
  UnsortedSegmentSum: unsortedSegmentSum,
  OneHot: oneHot,
}
