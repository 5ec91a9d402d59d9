import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock } from '../gradient.ts'

type Pads = [number, number][]

/** Pads one axis with zeros, whatever the rank: not every backend pads five axes. */
export function padded(x: tf.Tensor, axis: number, before: number, after: number): tf.Tensor {
  if (before === 0 && after === 0) return x
  const [outer, n, inner] = around(x, axis)
  const wide = tf.pad(tf.reshape(x, [outer, n, inner]), [
    [0, 0],
    [before, after],
    [0, 0],
  ])
  return tf.reshape(wide, x.shape.with(axis, before + n + after))
}

/** `size` entries of one axis. */
function part(x: tf.Tensor, axis: number, begin: number, size: number): tf.Tensor {
  return tf.slice(
    x,
    x.shape.map((_, i) => (i === axis ? begin : 0)),
    x.shape.with(axis, size),
  )
}

/** What was mirrored at a border is added to where it came from. */
const mirrorPad: Gradient = {
  kernelName: 'MirrorPad',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor]
    const { paddings, mode } = attributes as { paddings: Pads; mode: 'reflect' | 'symmetric' }
    const offset = mode === 'reflect' ? 1 : 0
    const folded = (gradient: tf.Tensor, [before, after]: [number, number], axis: number) => {
      const n = x.shape[axis] as number
      let sum = part(gradient, axis, before, n)
      if (before > 0) {
        const left = tf.reverse(part(gradient, axis, 0, before), axis)
        sum = tf.add(sum, padded(left, axis, offset, n - offset - before))
      }
      if (after > 0) {
        const right = tf.reverse(part(gradient, axis, before + n, after), axis)
        sum = tf.add(sum, padded(right, axis, n - offset - after, offset))
      }
      return sum
    }
    return { x: () => paddings.reduce(folded, dy as tf.Tensor) }
  },
}

/** Puts `by` - 1 zeros after each entry of an axis. */
export function spreadOut(x: tf.Tensor, axis: number, by: number): tf.Tensor {
  if (by === 1) return x
  const [before, n, after] = around(x, axis)
  const spread = padded(tf.reshape(x, [before, n, 1, after]), 2, 0, by - 1)
  return tf.reshape(spread, x.shape.with(axis, n * by))
}

/** Every `by`-th entry of an axis, from the first; its length is a multiple of `by`. */
export function everyEntry(x: tf.Tensor, axis: number, by: number): tf.Tensor {
  if (by === 1) return x
  const [before, n, after] = around(x, axis)
  const firsts = tf.slice(tf.reshape(x, [before, n / by, by, after]), [0, 0, 0, 0], [before, n / by, 1, after])
  return tf.reshape(firsts, x.shape.with(axis, n / by))
}

/** The entries before, along and behind an axis. */
function around({ shape }: tf.Tensor, axis: number): [number, number, number] {
  const size = tf.util.sizeFromShape
  return [size(shape.slice(0, axis)), shape[axis] as number, size(shape.slice(axis + 1))]
}

const MASKS = ['beginMask', 'endMask', 'ellipsisMask', 'newAxisMask', 'shrinkAxisMask'] as const
type Stretch = Record<'begin' | 'end' | 'strides', number[]> & Record<(typeof MASKS)[number], number>

/** Zeros everywhere but where entries were taken. */
const stridedSlice: Gradient = {
  kernelName: 'StridedSlice',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor]
    const { begin, end, strides, ...masks } = attributes as unknown as Stretch
    const [first, second, third, fourth, fifth] = MASKS.map((name) => masks[name]) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const info = tf.slice_util.sliceInfo(x.shape, begin, end, strides, first, second, third, fourth, fifth)
    const taken = tf.slice_util.computeOutShape(info.begin, info.end, info.strides)
    const placed = (gradient: tf.Tensor, axis: number) => {
      const [from, step, count] = [info.begin[axis], info.strides[axis], taken[axis]] as [number, number, number]
      const length = x.shape[axis] as number
      const span = (count - 1) * Math.abs(step) + 1
      const start = step > 0 ? from : from - span + 1
      const upward = step > 0 ? gradient : tf.reverse(gradient, axis)
      return padded(part(spreadOut(upward, axis, Math.abs(step)), axis, 0, span), axis, start, length - start - span)
    }
    return {
      x: () =>
        taken.includes(0)
          ? tf.zeros(x.shape)
          : taken.reduce((gradient, _, axis) => placed(gradient, axis), tf.reshape(dy as tf.Tensor, taken)),
    }
  },
}

const gatherNd: Gradient = {
  kernelName: 'GatherNd',
  inputsToSave: ['params', 'indices'],
  gradFunc: (dy, saved) => {
    const [params, indices] = saved as [tf.Tensor, tf.Tensor]
    return {
      params: () => tf.scatterND(indices, dy as tf.Tensor, params.shape),
      indices: () => tf.zeros(indices.shape),
    }
  },
}

/** Entries along an axis, named from either end, with any number of batch axes: that of tfjs takes one at most. */
const gather = (ofTfjs: Gradient): Gradient => ({
  ...ofTfjs,
  gradFunc: (dy, saved, attributes) => {
    const [x, indices] = saved as [tf.Tensor, tf.Tensor]
    const { axis: named, batchDims } = attributes as { axis: number; batchDims: number }
    const axis = tf.util.parseAxisParam(named, x.shape)[0] as number
    const gradient = ofTfjs.gradFunc(dy, saved, { ...attributes, axis }) as { x(): tf.Tensor }
    const whole = { indices: () => tf.zeros(indices.shape) }
    if (batchDims < 2) return { ...whole, x: gradient.x }
    return { ...whole, x: () => gathered(dy as tf.Tensor, x, indices, axis, batchDims) }
  },
})

/** As if all batches were one long axis: x is `[batches, outer, n, inner]`, the indices of each batch those of its part. */
function gathered(dy: tf.Tensor, x: tf.Tensor, indices: tf.Tensor, axis: number, batchDims: number): tf.Tensor {
  const size = tf.util.sizeFromShape
  const [batches, outer, n] = [
    size(x.shape.slice(0, batchDims)),
    size(x.shape.slice(batchDims, axis)),
    x.shape[axis] as number,
  ]
  const inner = size(x.shape.slice(axis + 1))
  const each = indices.size / batches
  const starts = tf.tensor(
    Int32Array.from({ length: batches }, (_, i) => i * n),
    [batches, 1],
    'int32',
  )
  const places = tf.reshape(tf.add(tf.reshape(tf.cast(indices, 'int32'), [batches, each]), starts), [-1]) as tf.Tensor1D
  const rows = tf.reshape(tf.transpose(tf.reshape(dy, [batches, outer, each, inner]), [0, 2, 1, 3]), [
    batches * each,
    outer * inner,
  ])
  const summed = tf.reshape(tf.unsortedSegmentSum(rows, places, batches * n), [batches, n, outer, inner])
  return tf.reshape(tf.transpose(summed, [0, 2, 1, 3]), x.shape)
}

const scatterNd: Gradient = {
  kernelName: 'ScatterNd',
  inputsToSave: ['indices'],
  gradFunc: (dy, saved) => {
    const [indices] = saved as [tf.Tensor]
    return { indices: () => tf.zeros(indices.shape), updates: () => tf.gatherND(dy as tf.Tensor, indices) }
  },
}

/** Values at places, and one for all others. */
const sparseToDense: Gradient = {
  kernelName: 'SparseToDense',
  inputsToSave: ['sparseIndices', 'sparseValues'],
  gradFunc: (dy, saved) => {
    const [indices, values] = saved as [tf.Tensor, tf.Tensor]
    const given = dy as tf.Tensor
    const places = tf.reshape(indices, [-1, given.rank])
    const taken = () => tf.gatherND(given, places)
    return {
      sparseIndices: () => tf.zeros(indices.shape),
      sparseValues: () => (values.rank === 0 ? tf.sum(taken()) : taken()),
      defaultValue: () => tf.sub(tf.sum(given), tf.sum(taken())),
    }
  },
}

/** `[batch, h * block, w * block, c]` back to `[batch, h, w, block * block * c]`. */
const depthToSpace: Gradient = {
  kernelName: 'DepthToSpace',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor4D]
    const { blockSize } = attributes as { blockSize: number }
    const [batch, height, width, channels] = x.shape
    const rows = [batch * height, blockSize, width, (blockSize * channels) / blockSize ** 2]
    return { x: () => tf.reshape(tf.transpose(tf.reshape(dy as tf.Tensor, rows), [0, 2, 1, 3]), x.shape) }
  },
}

/** The largest entries: where they stood. */
const topK: Gradient = {
  kernelName: 'TopK',
  inputsToSave: ['x'],
  outputsToSave: [false, true],
  gradFunc: (dy, saved) => {
    const [x, indices] = saved as [tf.Tensor, tf.Tensor]
    const [given] = dy as tf.Tensor[]
    return {
      x: () => {
        if (!given) return tf.zeros(x.shape)
        const places = tf.oneHot(tf.cast(indices, 'int32'), x.shape.at(-1) as number)
        return tf.sum(tf.mul(tf.cast(places, 'float32'), tf.expandDims(given, -1)), -2)
      },
    }
  },
}

const flipLeftRight: Gradient = {
  kernelName: 'FlipLeftRight',
  gradFunc: (dy) => ({ image: () => tf.image.flipLeftRight(dy as tf.Tensor4D) }),
}

/** The entries that were put on the diagonal. */
const diag: Gradient = {
  kernelName: 'Diag',
  inputsToSave: ['x'],
  gradFunc: (dy, saved) => {
    const [{ shape, size }] = saved as [tf.Tensor]
    const diagonal = Int32Array.from({ length: size }, (_, i) => i * (size + 1))
    return {
      x: () => tf.reshape(tf.gather(tf.reshape(dy as tf.Tensor, [-1]), tf.tensor1d(diagonal, 'int32')), shape),
    }
  },
}

/** Of parts: that of tfjs takes no single one. */
const joined = ({ gradFunc, ...saved }: Gradient): Gradient => ({
  ...saved,
  gradFunc: (dy, inputs, attributes) => gradFunc([dy].flat(), inputs, attributes),
})

/** Operations that move values. */
export const moving = (): Gradient[] => [
  ...['SplitV', 'Unpack'].map((kernel) => joined(stock(kernel))),
  ...[mirrorPad, stridedSlice, gather(stock('GatherV2')), gatherNd, scatterNd, sparseToDense, depthToSpace],
  ...[topK, flipLeftRight, diag],
]
