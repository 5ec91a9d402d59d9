import * as tf from '@tensorflow/tfjs'
import { registerGradients } from '../../../engine/gradients/register.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { table } from '../gradients/table.ts'

registerGradients()

/** Draws of one example; the same seed gives the same draws. */
export interface Draws {
  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number
  /** `rank` lengths of 1 to 4. */
  shape(rank: number): number[]
  bool(): boolean
  /** Distinct positive values, so that no operation meets a zero. */
  floats(shape: number[]): tf.Tensor
  /** Values from 0 to `most`. */
  ints(shape: number[], most?: number): tf.Tensor
  bools(shape: number[]): tf.Tensor
}

export function draws(name: string): Draws {
  const key = keyOf(1, name)
  let at = 0
  const int = (least: number, most: number) => least + integer(key, at++, most - least + 1)
  const values = (shape: number[], next: () => number) => Array.from({ length: tf.util.sizeFromShape(shape) }, next)
  return {
    int,
    shape: (rank) => Array.from({ length: rank }, () => int(1, 4)),
    bool: () => int(0, 1) === 1,
    floats: (shape) =>
      tf.tensor(
        values(shape, () => 0.2 + int(0, 600) / 1000),
        shape,
      ),
    ints: (shape, most = 2) =>
      tf.tensor(
        values(shape, () => int(0, most)),
        shape,
        'int32',
      ),
    bools: (shape) =>
      tf.tensor(
        values(shape, () => int(0, 1)),
        shape,
        'bool',
      ),
  }
}

/** One use of an operation, on values that it draws. */
export type Operation = (draw: Draws) => tf.Tensor | tf.Tensor[]

const chosen = <T>(draw: Draws, among: readonly T[]): T => among[draw.int(0, among.length - 1)] as T

const binary = [
  ...['add', 'atan2', 'div', 'maximum', 'minimum', 'mod', 'mul', 'pow', 'squaredDifference', 'sub'],
  ...['equal', 'greater', 'greaterEqual', 'less', 'lessEqual', 'notEqual'],
] as const

type Ops = Record<string, (...inputs: unknown[]) => tf.Tensor>
const ops = tf as unknown as Ops
const call = (name: string, ...inputs: unknown[]) => (ops[name] as Ops[string])(...inputs)
const kernel = (name: string, inputs: object, attributes: object = {}) =>
  tf.engine().runKernel(name, inputs as tf.NamedTensorMap, attributes as tf.NamedAttrMap) as tf.Tensor

/** Two shapes that broadcast to each other. */
function pair(draw: Draws): [number[], number[]] {
  const shape = draw.shape(draw.int(0, 4))
  const thinned = shape.map((length) => (draw.bool() ? length : 1)).slice(draw.int(0, shape.length))
  return draw.bool() ? [shape, thinned] : [thinned, shape]
}

const axesOf = (draw: Draws, rank: number) =>
  draw.bool() ? undefined : Array.from({ length: rank }, (_, i) => i).filter(() => draw.bool())

const image = (draw: Draws, channels = draw.int(1, 3)) =>
  draw.floats([draw.int(1, 2), draw.int(4, 6), draw.int(4, 6), channels])

/**
 * With gradients: the operations of the table of gradients, each on one of the shapes that it has there, but with floats that are
 * drawn. Each is run forward and backward.
 */
export const differentiable: Record<string, Operation> = {
  ...Object.fromEntries(
    Object.entries(table)
      .filter(([, [first]]) => first?.inputs.some(({ dtype }) => dtype === 'float32'))
      .map(([name, cases]): [string, Operation] => [
        name,
        (draw) => {
          const { inputs, run } = chosen(draw, cases)
          const given = inputs.map(({ values, shape, dtype }) =>
            dtype === 'float32' ? draw.floats(shape) : tf.tensor(values.slice() as tf.TypedArray, shape, dtype),
          )
          return run(...given)
        },
      ]),
  ),
  // our own gradient is for other sides
  'resizeBilinear of a square': (draw) =>
    tf.image.resizeBilinear(draw.floats([2, 4, 4, 2]) as tf.Tensor4D, [draw.int(2, 8), draw.int(2, 8)], draw.bool()),
}

/** Without gradient, or without floats. */
export const plain: Record<string, Operation> = {
  ...Object.fromEntries(
    ['isFinite', 'isInf', 'isNaN', 'zerosLike', 'onesLike'].map((name) => [
      name,
      (draw: Draws) => call(name, draw.floats(draw.shape(2))),
    ]),
  ),
  ...Object.fromEntries(
    ['abs', 'neg', 'sign', 'square', 'relu', 'zerosLike', 'onesLike', 'clone'].map((name) => [
      `${name} of integers`,
      (draw: Draws) => call(name, draw.ints(draw.shape(2))),
    ]),
  ),
  ...Object.fromEntries(
    [...binary.filter((name) => name !== 'atan2'), 'floorDiv'].map((name) => [
      `${name} of mixed types`,
      (draw: Draws) => {
        const [a, b] = pair(draw)
        const some = (shape: number[]) => (draw.bool() ? draw.ints(shape) : draw.floats(shape))
        return call(name, some(a), some(b))
      },
    ]),
  ),
  ...Object.fromEntries(
    ['logicalAnd', 'logicalOr', 'logicalXor'].map((name) => [
      name,
      (draw: Draws) => {
        const [a, b] = pair(draw)
        return call(name, draw.bools(a), draw.bools(b))
      },
    ]),
  ),
  ...Object.fromEntries(
    ['sum', 'mean', 'max', 'min', 'prod'].map((name) => [
      `${name} of integers`,
      (draw: Draws) => call(name, draw.ints(draw.shape(3)), axesOf(draw, 3), draw.bool()),
    ]),
  ),
  ...Object.fromEntries(
    ['all', 'any'].map((name) => [
      name,
      (draw: Draws) => call(name, draw.bools(draw.shape(3)), axesOf(draw, 3), draw.bool()),
    ]),
  ),
  maxPool3d: (draw) => tf.maxPool3d(draw.floats([1, 4, 4, 4, 2]) as tf.Tensor5D, 2, draw.int(1, 2), 'same'),
  splitOne: (draw) => tf.split(draw.floats([4, 4]), 1, 0),
  unstackOne: (draw) => tf.unstack(draw.floats([draw.int(1, 3), 1]), draw.int(-1, 1)),
  sumOfBools: (draw) => tf.sum(draw.bools(draw.shape(2)), draw.int(0, 1)),
  logicalNot: (draw) => tf.logicalNot(draw.bools(draw.shape(2))),
  argMax: (draw) => tf.argMax(draw.floats(draw.shape(3)), draw.int(-3, 2)),
  argMin: (draw) => tf.argMin(draw.floats(draw.shape(3)), draw.int(-3, 2)),
  bitwiseAnd: (draw) => kernel('BitwiseAnd', { a: draw.ints([3]), b: draw.ints([3]) }),
  cast: (draw) => {
    const types = ['float32', 'int32', 'bool'] as const
    const [from, to] = [chosen(draw, types), chosen(draw, types)]
    const made = { float32: draw.floats([3]), int32: draw.ints([3]), bool: draw.bools([3]) }
    return tf.cast(made[from], to)
  },
  whereMixed: (draw) => tf.where(draw.bools([3]), draw.ints([3]), draw.floats([3])),
  einsum: (draw) => {
    const [b, i, j, k] = draw.shape(4) as [number, number, number, number]
    const [left, right] = [draw.floats([b, i, j]), draw.floats([b, j, k])]
    return tf.einsum(chosen(draw, ['bij,bjk->bik', 'bij, bjk -> ik', 'bij,bjk->bkji'] as const), left, right)
  },
  einsumOne: (draw) => tf.einsum('ij->ji', draw.floats(draw.shape(2))),
  stridedSlice: (draw) => tf.stridedSlice(draw.floats([5, 6]), [draw.int(0, 2), 1], [5, 6], [draw.int(1, 3), 2]),
  stridedSliceShrunk: (draw) =>
    tf.stridedSlice(draw.floats([5, 6]), [2, 1], [3, 6], [1, draw.int(1, 3)], 0, 0, 0, 0, 1),
  cumsumOfAny: (draw) => tf.cumsum(draw.floats(draw.shape(3)), draw.int(0, 2), draw.bool(), draw.bool()),
  cumprod: (draw) => tf.cumprod(draw.floats(draw.shape(3)), draw.int(0, 2)),
  flip: (draw) => tf.image.flipLeftRight(image(draw) as tf.Tensor4D),
  rotate: (draw) => tf.image.rotateWithOffset(image(draw) as tf.Tensor4D, 0.5),
  depthToSpace: (draw) => tf.depthToSpace(draw.floats([1, 2, draw.int(1, 3), 8]) as tf.Tensor4D, 2),
  oneHot: (draw) => tf.oneHot(draw.ints(draw.shape(draw.int(1, 2))) as tf.Tensor1D, draw.int(2, 5)),
  gatherND: (draw) => tf.gatherND(draw.floats([3, 3, 2]), draw.ints([draw.int(1, 4), draw.int(1, 3)], 1)),
  scatterND: (draw) => tf.scatterND(draw.ints([4, 1]), draw.floats([4, 3]), [5, 3]),
  scatterUpdate: (draw) => tf.tensorScatterUpdate(draw.floats([5, 3]), draw.ints([4, 1]), draw.floats([4, 3])),
  sparseToDense: (draw) => tf.sparseToDense(draw.ints([3]), draw.floats([3]), [4], 0),
  topk: (draw) => {
    const { values, indices } = tf.topk(draw.floats([3, 4]), draw.int(1, 4))
    return [values, indices]
  },
  searchSorted: (draw) => tf.searchSorted(draw.floats([2, 4]), draw.floats([2, draw.int(1, 3)])),
  lowerBound: (draw) =>
    kernel('SearchSorted', { sortedSequence: draw.floats([2, 4]), values: draw.floats([2, 3]) }, { side: 'left' }),
  bincount: (draw) => tf.bincount(draw.ints([5]) as tf.Tensor1D, draw.floats([5]) as tf.Tensor1D, draw.int(3, 6)),
  denseBincount: (draw) =>
    tf.denseBincount(draw.ints([2, 5]) as tf.Tensor2D, draw.floats([2, 5]) as tf.Tensor2D, draw.int(3, 6)),
  fill: (draw) => tf.fill(draw.shape(draw.int(0, 3)), 1, chosen(draw, ['float32', 'int32'] as const)),
  linspace: (draw) => tf.linspace(0, 1, draw.int(1, 7)),
  range: (draw) =>
    tf.range(draw.int(-5, 5), draw.int(-5, 5), chosen(draw, [1, 2, 3]), chosen(draw, ['float32', 'int32'] as const)),
  rangeDown: (draw) => tf.range(draw.int(0, 9), draw.int(-9, 0), -draw.int(1, 4)),
  diag: (draw) => tf.diag(draw.floats(draw.shape(draw.int(1, 2)))),
  multinomial: (draw) => tf.multinomial(draw.floats([2, 3]) as tf.Tensor2D, draw.int(1, 5), 3),
  cropAndResize: (draw) => {
    const boxes = draw.floats([3, 4]) as tf.Tensor2D
    return tf.image.cropAndResize(image(draw) as tf.Tensor4D, boxes, tf.zeros([3], 'int32'), [draw.int(1, 4), 2])
  },
  transform: (draw) =>
    tf.image.transform(
      image(draw) as tf.Tensor4D,
      draw.floats([1, 8]) as tf.Tensor2D,
      'nearest',
      'constant',
      0,
      draw.bool() ? [3, 5] : undefined,
    ),
  resizeIntegers: (draw) => tf.image.resizeNearestNeighbor(draw.ints([1, 4, 4, 2]) as tf.Tensor4D, [draw.int(2, 8), 3]),
  complex: (draw) => {
    const z = tf.complex(draw.floats([2, 4]), draw.floats([2, 4]))
    return [tf.real(z), tf.imag(z), tf.abs(z)]
  },
  fft: (draw) => {
    const z = tf.complex(draw.floats([2, 4]), draw.floats([2, 4]))
    return [tf.real(tf.fft(z)), tf.imag(tf.ifft(z))]
  },
  rfft: (draw) => tf.real(tf.rfft(draw.floats([2, 4]))),
}
