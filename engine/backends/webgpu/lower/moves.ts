import { backend_util, util } from '@tensorflow/tfjs-core'
import { sizeOf, type Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'

const { getReshaped, getPermuted, getReshapedPermuted, getSliceBeginCoords, getSliceSize } = backend_util

/** Operations that move entries in several of the ways that there are views for (views.ts). */
export const moves: Record<string, Rewrite> = {
  FlipLeftRight: (operation) => [
    made('Reverse', { x: inputOf(operation, 'image') }, outputOf(operation), { dims: [2] }),
  ],
  DepthToSpace: (operation) => {
    const x = inputOf(operation, 'x')
    const { blockSize, dataFormat } = operation.attributes as { blockSize: number; dataFormat: string }
    if (dataFormat !== 'NHWC') throw new Error(`has depthToSpace with ${dataFormat}, expected NHWC`)
    const [batch, height, width, channels] = x.shape as [number, number, number, number]
    const shape = [batch, height, width, blockSize, blockSize, channels / blockSize ** 2]
    const perm = [0, 1, 3, 2, 4, 5]
    const turned = { ...outputOf(operation), shape: perm.map((axis) => shape[axis] as number) }
    return [made('Transpose', { x: { ...x, shape } }, turned, { perm })]
  },
  SpaceToBatchND: (operation, fresh) => {
    const x = inputOf(operation, 'x')
    const { blockShape, paddings } = operation.attributes as { blockShape: number[]; paddings: [number, number][] }
    const all = x.shape.map((_, axis) => paddings[axis - 1] ?? [0, 0])
    const padded = fresh(
      x.shape.map((length, axis) => length + (all[axis]?.[0] ?? 0) + (all[axis]?.[1] ?? 0)),
      x.dtype,
    )
    const shape = getReshaped(padded.shape, blockShape, util.sizeFromShape(blockShape), false)
    const perm = getPermuted(shape.length, blockShape.length, false)
    const turned = { ...outputOf(operation), shape: perm.map((axis) => shape[axis] as number) }
    return [
      made('PadV2', { x }, padded, { paddings: all, constantValue: 0 }),
      made('Transpose', { x: { ...padded, shape } }, turned, { perm }),
    ]
  },
  BatchToSpaceND: (operation, fresh) => {
    const x = inputOf(operation, 'x')
    const { blockShape, crops } = operation.attributes as { blockShape: number[]; crops: number[][] }
    const blocks = util.sizeFromShape(blockShape)
    const shape = getReshaped(x.shape, blockShape, blocks)
    const perm = getPermuted(shape.length, blockShape.length)
    const whole = getReshapedPermuted(x.shape, blockShape, blocks)
    const turned = fresh(
      perm.map((axis) => shape[axis] as number),
      x.dtype,
    )
    const begin = getSliceBeginCoords(crops, blockShape.length)
    const size = getSliceSize(whole, crops, blockShape.length)
    return [
      made('Transpose', { x: { ...x, shape } }, turned, { perm }),
      made('Slice', { x: { ...turned, shape: whole } }, outputOf(operation), { begin, size }),
    ]
  },
  /** The rows of the updates, added up by the numbers of the rows where they go. */
  ScatterNd: (operation, fresh) => {
    const [updates, y] = [inputOf(operation, 'updates'), outputOf(operation)]
    const { numbers, ids, count, rows, inner } = rowsOf(inputOf(operation, 'indices'), y, fresh)
    const x = { ...updates, shape: [count, inner] }
    return [numbers, made('UnsortedSegmentSum', { x, segmentIds: ids }, { ...y, shape: [rows, inner] })]
  },
  /** The last row that goes to a place; elsewhere the tensor. */
  TensorScatterUpdate: (operation, fresh) => {
    const [updates, tensor, y] = [inputOf(operation, 'updates'), inputOf(operation, 'tensor'), outputOf(operation)]
    const { numbers, ids, count, rows, inner } = rowsOf(inputOf(operation, 'indices'), y, fresh)
    const shape = [rows, inner]
    const inputs = { updates: { ...updates, shape: [count, inner] }, ids, others: { ...tensor, shape } }
    return [numbers, made('LastRows', inputs, { ...y, shape })]
  },
  /** The last value that goes to a place, or one for all; elsewhere another one. */
  SparseToDense: (operation, fresh) => {
    const [values, others, y] = [
      inputOf(operation, 'sparseValues'),
      inputOf(operation, 'defaultValue'),
      outputOf(operation),
    ]
    const indices = inputOf(operation, 'sparseIndices')
    const places = { ...indices, shape: [sizeOf(indices) / y.shape.length, y.shape.length] }
    const { numbers, ids, count, rows } = rowsOf(places, y, fresh)
    const updates = fresh([count, 1], values.dtype)
    const x = values.shape.length === 0 ? values : { ...values, shape: [count, 1] }
    return [
      numbers,
      made('BroadcastTo', { x }, updates),
      made('LastRows', { updates, ids, others }, { ...y, shape: [rows, 1] }),
    ]
  },
}

/** The numbers of the rows of `y` where indices, `[..., axes]`, lead. */
function rowsOf(indices: Use, y: Use, fresh: Fresh) {
  const lengths = y.shape.slice(0, indices.shape.at(-1))
  const count = sizeOf(indices) / lengths.length
  const found = fresh(indices.shape.slice(0, -1), 'int32')
  const [rows, inner] = [util.sizeFromShape(lengths), util.sizeFromShape(y.shape.slice(lengths.length))]
  return {
    numbers: made('RowNumbers', { indices }, found, { lengths }),
    ids: { ...found, shape: [count] },
    count,
    rows,
    inner,
  }
}
