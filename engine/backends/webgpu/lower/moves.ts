import { backend_util, util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf } from '../../../compile/graph.ts'
import { inputOf, made, outputOf, type Rewrite } from './operations.ts'

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
    const [indices, updates, y] = [inputOf(operation, 'indices'), inputOf(operation, 'updates'), outputOf(operation)]
    const lengths = y.shape.slice(0, indices.shape.at(-1))
    const count = sizeOf(indices) / lengths.length
    const [rows, inner] = [util.sizeFromShape(lengths), util.sizeFromShape(y.shape.slice(lengths.length))]
    const ids = fresh(indices.shape.slice(0, -1), 'int32')
    const x = { ...updates, shape: [count, inner] }
    const sum: Operation = made(
      'UnsortedSegmentSum',
      { x, segmentIds: { ...ids, shape: [count] } },
      { ...y, shape: [rows, inner] },
    )
    return [made('RowNumbers', { indices }, ids, { lengths }), sum]
  },
}
