import * as tf from '@tensorflow/tfjs'
import { apart, type Case, lists, of, ops, whole } from './cases.ts'

const on = (shape: number[], run: (x: tf.Tensor) => tf.Tensor | tf.Tensor[]): Case =>
  of(apart(shape), (x) => run(x as tf.Tensor))
/** Along each axis, named from either end, of shapes with equal and unequal lengths. */
const alongAxes = (run: (x: tf.Tensor, axis: number) => tf.Tensor | tf.Tensor[]): Case[] =>
  [[4], [3, 3], [2, 3, 4], [2, 3, 3], [2, 2, 3, 2], [1], [3, 1], [2, 1, 3]].flatMap((shape) =>
    shape.flatMap((_, axis) => [on(shape, (x) => run(x, axis)), on(shape, (x) => run(x, axis - shape.length))]),
  )
const FOLDED: [number[], number | number[] | undefined][] = [
  [[4], undefined],
  [[3, 3], 0],
  [[3, 3], 1],
  [[2, 3, 4], -1],
  [[2, 3, 4], 1],
  lists('2,3,4 0,2'),
  lists('2,3,4 -1,0'),
  lists('2,2,3,2 1,2'),
  [[2, 3], undefined],
  [[1], 0],
  [[3, 1], 1],
  [[2, 1, 3], 1],
]
const folds = (run: (x: tf.Tensor, axis: number | number[] | undefined, keepDims: boolean) => tf.Tensor): Case[] =>
  FOLDED.flatMap(([shape, axis]) => [false, true].map((keepDims) => on(shape, (x) => run(x, axis, keepDims))))

const rows = (x: tf.Tensor) => tf.mul(x, x)
/** The second place of an axis, or the only one. */
const inside = (x: tf.Tensor, axis: number) => Math.min(1, (x.shape.at(axis) as number) - 1)

/** Operations that fold axes. */
export const reductions: Record<string, Case[]> = {
  ...Object.fromEntries(
    (['sum', 'mean', 'max', 'min', 'prod', 'logSumExp', 'euclideanNorm'] as const).map((name) => [
      name,
      folds((x, axis, keepDims) => ops[name](x, axis, keepDims)),
    ]),
  ),
  norm: [
    ...folds((x, axis, keepDims) => tf.norm(x, 'euclidean', axis, keepDims)).filter(
      ({ inputs }) => (inputs[0]?.shape.length ?? 0) < 3,
    ),
    on([2, 3], (x) => tf.norm(x, 1)),
    on([2, 3], (x) => tf.norm(x, Number.POSITIVE_INFINITY, 1)),
  ],
  moments: folds((x, axis, keepDims) => tf.moments(x, axis, keepDims).variance),
  all: folds((x, axis, keepDims) => tf.mul(x, tf.cast(tf.all(tf.greater(x, 0), axis, keepDims), 'float32').sum())),
  any: folds((x, axis, keepDims) => tf.mul(x, tf.cast(tf.any(tf.greater(x, 0), axis, keepDims), 'float32').sum())),
  ...Object.fromEntries(
    (['argMax', 'argMin'] as const).map((name) => [
      name,
      alongAxes((x, axis) => tf.mul(x, tf.cast(ops[name](x, axis), 'float32').sum())),
    ]),
  ),
  softmax: [[4], [3, 3], [2, 3, 4]].map((shape) => on(shape, (x) => tf.softmax(x))),
  logSoftmax: [[4], [3, 3], [2, 3, 4]].map((shape) => on(shape, (x) => tf.logSoftmax(x))),
  cumsum: [
    ...alongAxes((x, axis) => tf.cumsum(x, axis)),
    ...alongAxes((x, axis) => tf.cumsum(x, axis, true)),
    ...alongAxes((x, axis) => tf.cumsum(x, axis, false, true)),
    ...alongAxes((x, axis) => tf.cumsum(x, axis, true, true)),
  ],
  cumprod: [
    ...alongAxes((x, axis) => tf.cumprod(x, axis)),
    ...alongAxes((x, axis) => tf.cumprod(x, axis, true)),
    ...alongAxes((x, axis) => tf.cumprod(x, axis, false, true)),
    ...alongAxes((x, axis) => tf.cumprod(x, axis, true, true)),
    of([{ values: Float32Array.of(0.5, 0, 2, 0, 1), shape: [5], dtype: 'float32' }], (x) => tf.cumprod(x as tf.Tensor)),
  ],
  topk: [
    on([5], (x) => tf.topk(x, 2).values),
    on([3, 4], (x) => tf.topk(x, 3).values),
    on([2, 3, 3], (x) => tf.topk(x, 1).values),
  ],
}

const PRODUCTS = ['2,3 3,4', '3,3 3,3', '2,2,3 2,3,4', '2,2,3 3,4', '2,3 2,3,4', '1,2,3 2,3,4', '2,2,2,3 2,3,2'].map(
  (shapes) => lists<[number[], number[]]>(shapes),
)

/** Products of matrices. */
export const products: Record<string, Case[]> = {
  matMul: PRODUCTS.flatMap(([a, b]) =>
    [false, true].flatMap((left) =>
      [false, true].map((right) => {
        const turned = (shape: number[], is: boolean) =>
          is ? [...shape.slice(0, -2), shape.at(-1), shape.at(-2)] : shape
        return of(apart(turned(a, left) as number[], turned(b, right) as number[]), (x, y) =>
          tf.matMul(x as tf.Tensor, y as tf.Tensor, left, right),
        )
      }),
    ),
  ),
  dot: [
    of(apart([3], [3]), (a, b) => tf.dot(a as tf.Tensor, b as tf.Tensor)),
    of(apart([2, 3], [3]), (a, b) => tf.dot(a as tf.Tensor, b as tf.Tensor)),
  ],
  outerProduct: [of(apart([2], [3]), (a, b) => tf.outerProduct(a as tf.Tensor1D, b as tf.Tensor1D))],
  einsum: [
    ['ij,jk->ik', [2, 3], [3, 4]],
    ['ij,kj->ki', [3, 3], [3, 3]],
    ['bij,bjk->bik', [2, 2, 3], [2, 3, 2]],
    ['bnd,nm->bmd', [2, 3, 4], [3, 2]],
    ['bhnd,bhmd->bhnm', [2, 2, 3, 2], [2, 2, 3, 2]],
    ['i,j->ij', [2], [3]],
    ['bi,bi->b', [2, 3], [2, 3]],
    ['bji,bjk->bik', [2, 3, 2], [2, 3, 2]],
    ['ij->ji', [2, 3]],
    ['ijk->j', [2, 3, 2]],
    ['ij->', [2, 3]],
  ].map(([equation, ...shapes]) =>
    of(apart(...(shapes as number[][])), (...all) => tf.einsum(equation as string, ...(all as tf.Tensor[]))),
  ),
  fusedMatMul: [
    of(apart([2, 3], [3, 4], [4]), (a, b, bias) =>
      tf.fused.matMul({ a: a as tf.Tensor, b: b as tf.Tensor, bias: bias as tf.Tensor }),
    ),
    of(apart([2, 3], [3, 4], [4]), (a, b, bias) =>
      tf.fused.matMul({ a: a as tf.Tensor, b: b as tf.Tensor, bias: bias as tf.Tensor, activation: 'relu' }),
    ),
  ],
}

/** Operations that move values. */
export const moving: Record<string, Case[]> = {
  reshape: [on([2, 3], (x) => rows(tf.reshape(x, [3, 2]))), on([4], (x) => tf.reshape(x, [2, -1]))],
  expandDims: alongAxes((x, axis) => tf.expandDims(x, axis)),
  squeeze: [on([2, 1, 3], (x) => tf.squeeze(x, [1])), on([1, 3], (x) => tf.squeeze(x))],
  ensureShape: [on([2, 3], (x) => tf.ensureShape(x, [2, 3]))],
  transpose: [
    on([2, 3], (x) => tf.transpose(x)),
    on([3, 3], (x) => tf.transpose(x)),
    on([2, 3, 4], (x) => tf.transpose(x, [2, 0, 1])),
    on([2, 3, 2, 2], (x) => tf.transpose(x, [0, 2, 3, 1])),
    on([2, 1, 2, 2, 2], (x) => tf.transpose(x, [4, 2, 3, 1, 0])),
  ],
  tile: [
    on([3], (x) => tf.tile(x, [2])),
    on([2, 3], (x) => tf.tile(x, [2, 3])),
    on([2, 1, 3], (x) => tf.tile(x, [1, 3, 2])),
    on([1, 2, 2, 2], (x) => tf.tile(x, [3, 1, 2, 1])),
    on([1, 2, 1, 2, 2], (x) => tf.tile(x, [2, 1, 3, 1, 2])),
  ],
  concat: alongAxes((x, axis) => tf.concat([x, tf.square(x), x], axis)),
  stack: alongAxes((x, axis) => tf.stack([x, tf.square(x)], axis)),
  unstack: alongAxes((x, axis) => tf.unstack(x, axis).map((each, i) => tf.mul(each, i + 1))),
  split: [
    ...alongAxes((x, axis) => {
      const length = x.shape.at(axis) as number
      return tf.split(x, length > 1 ? [1, length - 1] : [1], axis)
    }),
    ...alongAxes((x, axis) => tf.split(x, 1, axis)),
  ],
  slice: [
    on([4], (x) => tf.slice(x, [1], [2])),
    on([3, 3], (x) => tf.slice(x, [1, 0], [2, -1])),
    on([2, 3, 4], (x) => tf.slice(x, [0, 1, 2], [2, 2, 1])),
  ],
  stridedSlice: [
    on([5], (x) => tf.stridedSlice(x, [0], [5], [2])),
    on([5], (x) => tf.stridedSlice(x, [4], [-6], [-2])),
    on([5], (x) => tf.stridedSlice(x, [-1], [0], [-1])),
    on([4, 5], (x) => tf.stridedSlice(x, [1, 0], [4, 5], [2, 3])),
    on([3, 3], (x) => tf.stridedSlice(x, [0, 0], [3, 3], [1, 2], 1, 2)),
    on([2, 3, 4], (x) => tf.stridedSlice(x, [0, 1, 3], [2, 3, 0], [1, 1, -1])),
    on([2, 3, 4], (x) => tf.stridedSlice(x, [1, 0], [2, 3], [1, 1], 0, 0, 0, 0, 1)),
    on([2, 3, 4], (x) => tf.stridedSlice(x, [0, 0], [1, 4], [1, 2], 0, 0, 1)),
    on([2, 3], (x) => tf.stridedSlice(x, [0, 0, 0], [2, 1, 3], [1, 1, 2], 0, 0, 0, 2)),
    on([4, 3], (x) => tf.stridedSlice(x, [1, 0], [3, 3], [1, 1])),
  ],
  pad: [
    on([3], (x) => tf.pad(x, [[1, 2]], 0.5)),
    on([3, 3], (x) => tf.pad(x, lists('1,0 0,2'))),
    on([2, 3, 2], (x) => tf.pad(x, lists('0,0 2,1 1,1'))),
    on([1, 2, 2, 2], (x) => tf.pad(x, lists('0,1 1,0 2,1 0,0'))),
  ],
  mirrorPad: (['reflect', 'symmetric'] as const).flatMap((mode) => [
    on([4], (x) => tf.mirrorPad(x, [[2, 1]], mode)),
    on([3, 3], (x) => tf.mirrorPad(x, lists('1,0 0,2'), mode)),
    on([2, 3, 4], (x) => tf.mirrorPad(x, lists('0,0 2,2 1,3'), mode)),
    on([1, 3, 4, 2], (x) => tf.mirrorPad(x, lists('0,0 1,1 2,2 0,0'), mode)),
  ]),
  reverse: [
    on([4], (x) => tf.reverse(x, 0)),
    on([3, 3], (x) => tf.reverse(x, -1)),
    on([2, 3, 2], (x) => tf.reverse(x, [0, 1])),
    on([2, 3], (x) => tf.reverse(x)),
  ],
  gather: [
    ...alongAxes((x, axis) => tf.gather(x, tf.tensor1d([inside(x, axis), 0, inside(x, axis)], 'int32'), axis)),
    ...alongAxes((x, axis) =>
      tf.gather(
        x,
        tf.tensor2d(
          [
            [inside(x, axis), 0],
            [inside(x, axis), inside(x, axis)],
          ],
          [2, 2],
          'int32',
        ),
        axis,
      ),
    ),
    ...[
      { shape: [2, 3, 4], of: [2, 2], axis: 1, batchDims: 1 },
      { shape: [2, 4], of: [2, 3], axis: 1, batchDims: 1 },
      { shape: [2, 2, 4, 3], of: [2, 2, 3], axis: 2, batchDims: 2 },
      { shape: [2, 2, 4], of: [2, 3], axis: 2, batchDims: 1 },
    ].map(({ shape, of: places, axis, batchDims }) => {
      const { values } = whole(places, shape[axis] as number)
      return on(shape, (x) => tf.gather(x, tf.tensor(values as Int32Array, places, 'int32'), axis, batchDims))
    }),
  ],
  gatherND: [
    on([3, 4], (x) => tf.gatherND(x, tf.tensor2d(lists('0,1 2,3 0,1'), [3, 2], 'int32'))),
    on([3, 4], (x) => tf.gatherND(x, tf.tensor2d([[2], [0]], [2, 1], 'int32'))),
    on([3, 3, 2], (x) =>
      tf.gatherND(x, tf.tensor3d([lists<number[][]>('0,1 2,2'), lists<number[][]>('1,1 0,1')], [2, 2, 2], 'int32')),
    ),
  ],
  scatterND: [
    of(apart([3]), (x) => tf.scatterND(tf.tensor2d([[0], [4], [2]], [3, 1], 'int32'), x as tf.Tensor, [5])),
    of(apart([2, 3]), (x) => tf.scatterND(tf.tensor2d([[1], [3]], [2, 1], 'int32'), x as tf.Tensor, [4, 3])),
  ],
  sparseToDense: [
    of(apart([3], []), (x, y) =>
      tf.sparseToDense(tf.tensor1d([0, 4, 2], 'int32'), x as tf.Tensor, [5], y as tf.Scalar),
    ),
  ],
  unsortedSegmentSum: [
    on([4], (x) => tf.unsortedSegmentSum(x, tf.tensor1d([0, 2, 0, 1], 'int32'), 3)),
    on([3, 3], (x) => tf.unsortedSegmentSum(x, tf.tensor1d([1, 0, 1], 'int32'), 2)),
  ],
  oneHot: [on([3], (x) => tf.mul(tf.oneHot(tf.tensor1d([0, 2, 1], 'int32'), 3), x))],
  diag: [on([3], (x) => tf.diag(x)), on([2, 2], (x) => tf.diag(x))],
  batchToSpaceND: [
    on([4, 2, 2, 1], (x) => tf.batchToSpaceND(x, [2, 2], lists('0,0 0,0'))),
    on([4, 2, 3, 1], (x) => tf.batchToSpaceND(x, [2, 2], lists('1,0 0,1'))),
  ],
  spaceToBatchND: [
    on([1, 4, 4, 1], (x) => tf.spaceToBatchND(x, [2, 2], lists('0,0 0,0'))),
    on([1, 3, 4, 2], (x) => tf.spaceToBatchND(x, [2, 2], lists('1,0 0,0'))),
  ],
  depthToSpace: [
    on([1, 2, 3, 4], (x) => tf.depthToSpace(x as tf.Tensor4D, 2)),
    on([2, 2, 2, 8], (x) => tf.depthToSpace(x as tf.Tensor4D, 2)),
  ],
  meshgrid: [of(apart([2], [3]), (a, b) => tf.meshgrid(a, b).map((each, i) => tf.mul(each, tf.add(each, i))))],
}
