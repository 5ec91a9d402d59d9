import * as tf from '@tensorflow/tfjs'
import { apart, between, type Case, of, ops } from './cases.ts'

const lossCases = (run: (labels: tf.Tensor, x: tf.Tensor) => tf.Tensor): Case[] => [
  of([...between(0.1, 0.4, [2, 3]), ...between(0.5, 0.85, [2, 3])], (labels, x) =>
    run(labels as tf.Tensor, x as tf.Tensor),
  ),
]
const bands = (rank: 1 | 3): Case[] =>
  [2, 3, 4].map((axes) =>
    of(
      [
        ...apart([2, 3, 2, 2].slice(4 - axes)),
        ...(rank === 1 ? apart([2]) : apart([2, 3, 2, 2].slice(4 - axes))),
        ...(rank === 1 ? between(0.5, 2, [2]) : between(0.5, 2, [2, 3, 2, 2].slice(4 - axes))),
        ...(rank === 1 ? apart([2], [2]) : apart([2, 3, 2, 2].slice(4 - axes), [2, 3, 2, 2].slice(4 - axes))),
      ],
      (...given) => {
        const [x, mean, variance, offset, scale] = given as [tf.Tensor, ...tf.Tensor1D[]]
        return tf.batchNorm(x, mean as tf.Tensor1D, variance as tf.Tensor1D, offset, scale, 0.01)
      },
    ),
  )

/** Operations of tfjs that are made of others. */
export const composed: Record<string, Case[]> = {
  batchNorm: [...bands(1), ...bands(3)],
  ...Object.fromEntries(
    (['absoluteDifference', 'hingeLoss', 'huberLoss', 'logLoss', 'meanSquaredError'] as const).map((name) => [
      name,
      lossCases((labels, x) => ops.losses[name](labels, x)),
    ]),
  ),
  sigmoidCrossEntropy: lossCases((labels, x) => tf.losses.sigmoidCrossEntropy(labels, x)),
  // by the predictions alone: see tests/engine/gradients/check.test.ts for its labels
  softmaxCrossEntropy: [
    of(apart([2, 3]), (x) =>
      tf.losses.softmaxCrossEntropy(tf.tensor2d([0.2, 0.3, 0.5, 0.1, 0, 0.9], [2, 3]), x as tf.Tensor),
    ),
  ],
  cosineDistance: lossCases((labels, x) => tf.losses.cosineDistance(labels, x, 1)),
  computeWeightedLoss: lossCases((labels, x) => tf.losses.computeWeightedLoss(x, labels)),
  bandPart: [of(apart([2, 3, 4]), (x) => tf.linalg.bandPart(x as tf.Tensor3D, 1, 0))],
  gramSchmidt: [of(apart([2, 3]), (x) => tf.linalg.gramSchmidt(x as tf.Tensor2D) as tf.Tensor)],
  qr: [of(apart([2, 2]), (x) => tf.linalg.qr(x as tf.Tensor2D))],
  frame: [of(apart([6]), (x) => tf.signal.frame(x as tf.Tensor1D, 3, 2))],
  movingAverage: [of(apart([2, 3], [2, 3]), (v, x) => tf.movingAverage(v as tf.Tensor, x as tf.Tensor, 0.9, 1))],
  basicLSTMCell: [
    of(apart([4, 8], [8], [1, 2], [1, 2], [1, 2]), (kernel, bias, data, c, h) =>
      tf.basicLSTMCell(
        tf.scalar(1),
        kernel as tf.Tensor2D,
        bias as tf.Tensor1D,
        data as tf.Tensor2D,
        c as tf.Tensor2D,
        h as tf.Tensor2D,
      ),
    ),
  ],
  multiRNNCell: [
    of(apart([4, 8], [8], [1, 2], [1, 2], [1, 2]), (kernel, bias, data, c, h) => {
      const cell = (data: tf.Tensor2D, c: tf.Tensor2D, h: tf.Tensor2D) =>
        tf.basicLSTMCell(tf.scalar(1), kernel as tf.Tensor2D, bias as tf.Tensor1D, data, c, h)
      const [cells, states] = tf.multiRNNCell(
        [cell],
        data as tf.Tensor2D,
        [c as tf.Tensor2D],
        [h as tf.Tensor2D],
      ) as unknown as [tf.Tensor[], tf.Tensor[]]
      return [...cells, ...states]
    }),
  ],
}
