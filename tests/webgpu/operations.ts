import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import type { Code } from '../../engine/compile/record.ts'
import { cumsum, einsum, greater, maximum, rotary, scan, shift, where } from '../../engine/nn/index.ts'
import { convolve, samePads, type Windows } from '../../engine/nn/operations/convolve.ts'
import { avgPool } from '../../engine/nn/operations/pool.ts'
import { Draws } from '../engine/backends/simd/stock.ts'
import { differing, type Values, valuesAsProgram } from './compare.ts'

const draws = new Draws('operations')
const A = draws.values([6, 5, 4])
const MASK = draws.integers([6, 5, 4], 2)
const IMAGE = draws.values([2, 6, 6, 3])
const FILTER = draws.values([3, 3, 3, 2])

const DILATED: Windows = { stride: 1, dilation: [1, 2], pads: [samePads(3), samePads(5)] }

const PADS: [number, number][] = [
  [1, 0],
  [0, 2],
  [1, 1],
]

/** Operations that no small model has, or has in one way alone; each with its gradients. */
const code: Code = ({ a, image, filter }) => {
  const [x, photo, kernel] = [a, image, filter] as [tf.Tensor3D, tf.Tensor4D, tf.Tensor4D]
  const { value, grads } = tf.engine().gradients(() => {
    const single = tf.tile(tf.slice(kernel, [0, 0, 1, 0], [3, 3, 1, 1]), [1, 1, 1, 3])
    const ids = tf.tensor1d([3, 1, 3, 0], 'int32')
    const fromEnd = tf.unstack(x, -2).map((each, i) => tf.mul(each, i))
    const parts = [
      tf.sum(tf.gather(x, ids, 0)),
      tf.mean(tf.square(tf.gather(x, ids, -1))),
      tf.mean(tf.square(tf.stack(fromEnd, -1))),
      tf.sum(tf.square(tf.pad(x, PADS, 0.5))),
      tf.mean(tf.mul(tf.tile(x, [1, 2, 1]), 0.3)),
      tf.sum(tf.max(x, 1)),
      tf.sum(tf.square(tf.conv2d(photo, kernel, 2, 'same'))),
      tf.sum(tf.square(tf.depthwiseConv2d(photo, tf.slice(kernel, [0, 0, 0, 0], [3, 3, 3, 1]), 1, 'valid'))),
      tf.sum(tf.square(tf.maxPool(photo, [2, 3], 1, 'same'))),
      tf.sum(tf.square(tf.maxPool(tf.relu(photo), 3, 2, 'same'))),
      tf.sum(tf.square(tf.avgPool(photo, 2, 2, 'valid'))),
      tf.sum(tf.square(avgPool(photo, { kernel: [2, 3], stride: [1, 2] }))),
      tf.sum(tf.square(convolve('conv2d', photo, kernel, DILATED))),
      tf.sum(tf.square(convolve('conv2d', photo, single, DILATED))),
      tf.sum(tf.softmax(tf.reverse(x, 2))),
      tf.sum(tf.mul(tf.sin(tf.mul(x, 5)), tf.cos(x))),
      tf.mean(tf.square(scan(tf.sigmoid(x), shift(rotary(x), 1)))),
      tf.mean(tf.square(einsum('bnd,bmd->bnm', x, cumsum(x)))),
      tf.mean(where(greater(x, 0.1), tf.square(x), maximum(x, -0.5))),
      tf.sum(tf.where(tf.tensor(MASK, [6, 5, 4], 'bool'), tf.tanh(x), tf.mul(x, 0.1))),
    ]
    return tf.addN(parts) as tf.Scalar
  }, [x, photo, kernel])
  return { value, ...Object.fromEntries(grads.map((grad, i) => [`gradient ${i}`, grad])) }
}

async function computed(backend: string): Promise<Values> {
  await startBackend(backend, 1)
  const inputs = {
    a: tf.tensor(A, [6, 5, 4]),
    image: tf.tensor(IMAGE, [2, 6, 6, 3]),
    filter: tf.tensor(FILTER, [3, 3, 3, 2]),
  }
  return valuesAsProgram(inputs, 6, code)
}

/** Rows, ids of which some are nobody's, and how many ids there are; whole numbers, whose sums are exact in any order. */
const [ROWS, IDS, COUNT] = [draws.integers([1300, 3], 100), draws.integers([1300], 70).map((id) => id - 3), 64]

/** Sums of rows by ids on the card, more of them than one workgroup sorts. */
async function sumsById(): Promise<Values> {
  const inputs = { x: tf.tensor(ROWS, [1300, 3], 'float32'), ids: tf.tensor(IDS, [1300], 'int32') }
  const sums: Code = ({ x, ids }) => ({ y: tf.unsortedSegmentSum(x as tf.Tensor, ids as tf.Tensor1D, COUNT) })
  return valuesAsProgram(inputs, 1300, sums)
}

/** The same, row by row. */
function sumsRowByRow(): Values {
  const y = new Float32Array(3 * COUNT)
  for (const [i, value] of ROWS.entries()) {
    const at = 3 * (IDS[Math.floor(i / 3)] as number) + (i % 3)
    if (at >= 0 && at < y.length) y[at] = (y[at] as number) + value
  }
  return { y }
}

/** One program of them all on the card gives what simd gives. */
export async function operations(): Promise<string[]> {
  const wanted = await computed('simd')
  const lines = differing(await computed('webgpu'), wanted, 5e-6)
  return [...lines, ...differing(await sumsById(), sumsRowByRow(), 0)]
}
