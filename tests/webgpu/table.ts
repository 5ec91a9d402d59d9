import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { registerGradients } from '../../engine/gradients/register.ts'
import { apart, between, type Case, of, whole } from '../engine/gradients/cases.ts'
import { codeOf, tensorsOf, withGradients } from '../engine/gradients/code.ts'
import { table } from '../engine/gradients/table.ts'
import { LONG, sample } from '../long.ts'
import { differing, programmed, type Values } from './compare.ts'

const LINES = [2, 70, 3]

/** What the table is too small for: axes longer than a block, several channels, whole numbers below 0. */
const larger: Record<string, Case[]> = {
  'running sums': [true, false].flatMap((exclusive) =>
    [true, false].map((reverse) => of(apart(LINES), (x) => tf.cumsum(x as tf.Tensor, 1, exclusive, reverse))),
  ),
  'a running product': [of(between(0.9, 1.1, LINES), (x) => tf.cumprod(x as tf.Tensor, 1, false, true))],
  'the largest': [of(apart([3, 40]), (x) => Object.values(tf.topk(x as tf.Tensor, 5)))],
  'a convolution of volumes': [
    of(apart([2, 3, 4, 3, 2], [2, 2, 3, 2, 3]), (x, filter) =>
      tf.conv3d(x as tf.Tensor5D, filter as tf.Tensor5D, [1, 2, 1], 'same'),
    ),
  ],
  'reversed axes': [-1, undefined].map((axis) =>
    of(apart([2, 3]), (x) => tf.mul(tf.reverse(x as tf.Tensor, axis), tf.tensor1d([1, 2, 3]))),
  ),
  'neighbouring channels': [
    of(apart([2, 3, 2, 9]), (x) => tf.localResponseNormalization(x as tf.Tensor4D, 2, 1.5, 0.3, 0.75)),
  ],
  'places twice': [
    of([...apart([5], []), whole([5], [3, 0, 3, 6, 0])], (x, y, places) => [
      tf.sparseToDense(places as tf.Tensor, x as tf.Tensor, [7], y as tf.Scalar),
      tf.mul(x as tf.Tensor, tf.sum(tf.sparseToDense(places as tf.Tensor, y as tf.Tensor, [7], tf.scalar(2)))),
    ]),
    of([...apart([3, 2]), whole([4, 1], [2, 0, 2, 4])], (x, places) =>
      tf.mul(
        tf.sum(x as tf.Tensor),
        tf.tensorScatterUpdate(tf.ones([5, 2]), places as tf.Tensor, tf.tensor([1, 2, 3, 4, 5, 6, 7, 8], [4, 2])),
      ),
    ),
  ],
  'counted and found': [
    of([...apart([4]), whole([2, 5], [3, 0, 3, 2, 9, 1, 1, 1, 4, 0])], (x, i) => [
      tf.mul(x as tf.Tensor, tf.denseBincount(i as tf.Tensor2D, tf.ones([2, 5]) as tf.Tensor2D, 4)),
      tf.mul(x as tf.Tensor, tf.denseBincount(i as tf.Tensor2D, tf.zeros([0, 5]) as tf.Tensor2D, 4, true)),
      tf.mul(x as tf.Tensor, tf.searchSorted(tf.tensor1d([1, 2, 2, 3]), tf.tensor1d([0, 2, 3, 4]), 'left')),
      tf.mul(x as tf.Tensor, tf.searchSorted(tf.tensor1d([1, 2, 2, 3]), tf.tensor1d([0, 2, 3, 4]), 'right')),
    ]),
  ],
  'a dilation': [
    of([...between(-2, 2, [2, 7, 6, 3]), ...between(0.1, 0.35, [3, 2, 3])], (x, filter) =>
      tf.dilation2d(x as tf.Tensor4D, filter as tf.Tensor3D, [2, 1], 'same'),
    ),
    of([...between(-2, 2, [1, 6, 7, 2]), ...between(0.1, 0.35, [2, 3, 2])], (x, filter) =>
      tf.dilation2d(x as tf.Tensor4D, filter as tf.Tensor3D, 1, 'valid', 2),
    ),
  ],
  'mixed types': [
    of([...apart([2, 3]), whole([2, 3], [-7, 7, -6, 3, 0, -1])], (x, i) => [
      tf.where(tf.greater(x as tf.Tensor, 0), i as tf.Tensor, x as tf.Tensor),
      tf.mul(x as tf.Tensor, tf.relu(i as tf.Tensor)),
      tf.mul(x as tf.Tensor, tf.mean(i as tf.Tensor, 1, true)),
    ]),
  ],
  'whole numbers': [
    of([...apart([2, 3]), whole([2, 3], [-7, 7, -6, 3, 0, -1])], (x, i) => [
      tf.mul(x as tf.Tensor, tf.floorDiv(i as tf.Tensor, tf.scalar(4, 'int32'))),
      tf.mul(x as tf.Tensor, tf.cumsum(i as tf.Tensor, 1)),
      tf.mul(x as tf.Tensor, tf.max(i as tf.Tensor, 0)),
      tf.mul(x as tf.Tensor, tf.argMin(i as tf.Tensor, 0)),
    ]),
  ],
}

/** What a case and its gradients give as a program on the backend that is current, or why there is none. */
async function computed(each: Case): Promise<Values | string> {
  const found = await programmed(tensorsOf(each), each.inputs[0]?.shape[0] ?? 1, codeOf(each))
  return found instanceof Error ? found.message : found
}

/**
 * The differentiable operations of the table as programs give what they give on simd: a sixth of them, in one way each; with
 * MIXLAB_LONG=1 all, in every third way.
 */
export async function programsOfTable(): Promise<string[]> {
  registerGradients()
  const tried = [...sample(Object.entries(table)), ...Object.entries(larger)].flatMap(([name, cases]) => {
    return withGradients(cases, LONG ? 3 : cases.length).map((each) => ({ name, each }))
  })
  await startBackend('simd', 1)
  const wanted: (Values | string)[] = []
  for (const { each } of tried) wanted.push(await computed(each))
  await startBackend('webgpu', 1)
  const lines: string[] = []
  for (const [i, { name, each }] of tried.entries()) {
    const [own, right] = [await computed(each), wanted[i] as Values | string]
    if (typeof right === 'string') lines.push(`FAILED: ${name} is no program on simd: ${right}`)
    else if (typeof own === 'string') lines.push(`FAILED: ${name} is no program: ${own}`)
    else lines.push(...differing(own, right, 2e-5).map((line) => `${line}, in ${name}`))
  }
  return [...lines, `${tried.length} cases`]
}
