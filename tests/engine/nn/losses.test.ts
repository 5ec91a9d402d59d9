import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { crossEntropy, meanSquaredError, softmaxCrossEntropy } from '../../../engine/nn/losses.ts'

describe('softmaxCrossEntropy', () => {
  it('is the mean negative log likelihood, with gradient (softmax - onehot) / batch', () => {
    tf.tidy(() => {
      const logits = tf.tensor2d([
        [1, 2, 3],
        [0, 0, 0],
      ])
      const labels = tf.tensor1d([2, 0], 'int32')
      const expected = (-Math.log(Math.E ** 3 / (Math.E + Math.E ** 2 + Math.E ** 3)) + Math.log(3)) / 2
      expect(softmaxCrossEntropy(logits, labels).dataSync()[0]).toBeCloseTo(expected, 5)
      const gradient = tf
        .grad((x) => softmaxCrossEntropy(x, labels))(logits)
        .dataSync()
      expect(gradient[3]).toBeCloseTo((1 / 3 - 1) / 2, 5)
      expect(gradient[4]).toBeCloseTo(1 / 6, 5)
    })
  })
  it('stays finite for large logits', () => {
    tf.tidy(() => {
      const loss = softmaxCrossEntropy(tf.tensor2d([[1e4, -1e4]]), tf.tensor1d([1], 'int32'))
      expect(loss.dataSync()[0]).toBeCloseTo(2e4, 0)
    })
  })
})

describe('crossEntropy', () => {
  const logits = [
    [1, 2, 3],
    [0, 0, 0],
  ]
  const value = (scalar: tf.Scalar) => scalar.dataSync()[0] as number

  it('says the same of classes and of distributions that are sure of them', () => {
    tf.tidy(() => {
      const given = tf.tensor2d(logits)
      const [labels, sure] = [tf.tensor1d([2, 0], 'int32'), tf.tensor2d([0, 0, 1, 1, 0, 0], [2, 3])]
      expect(value(crossEntropy(given, sure))).toBeCloseTo(value(crossEntropy(given, labels)), 6)
      const [a, b] = [sure, labels].map((target) =>
        tf
          .grad((x) => crossEntropy(x, target))(given)
          .dataSync(),
      )
      for (const [i, slope] of (a ?? []).entries()) expect(slope).toBeCloseTo(b?.[i] ?? 0, 6)
    })
  })
  it('is linear in the distribution, with gradient (softmax - target) / batch', () => {
    tf.tidy(() => {
      const given = tf.tensor2d(logits)
      const target = tf.tensor2d([0.2, 0.3, 0.5, 0.9, 0.05, 0.05], [2, 3])
      const sum = Math.E + Math.E ** 2 + Math.E ** 3
      const first = Math.log(sum) - (0.2 * 1 + 0.3 * 2 + 0.5 * 3)
      expect(value(crossEntropy(given, target))).toBeCloseTo((first + Math.log(3)) / 2, 6)
      const slopes = tf
        .grad((x) => crossEntropy(x, target))(given)
        .dataSync()
      const wanted = [Math.E / sum - 0.2, Math.E ** 2 / sum - 0.3, Math.E ** 3 / sum - 0.5, 1 / 3 - 0.9, 1 / 3 - 0.05]
      for (const [i, slope] of wanted.entries()) expect(slopes[i]).toBeCloseTo(slope / 2, 6)
    })
  })
})

describe('a target that does not fit', () => {
  it.each([
    [
      'of another shape',
      () => crossEntropy(tf.zeros([4, 3]), tf.zeros([2], 'int32')),
      'crossEntropy: target int32 [2]',
    ],
    ['of another type', () => crossEntropy(tf.zeros([4, 3]), tf.zeros([4])), 'crossEntropy: target float32 [4]'],
    [
      'that would be stretched',
      () => meanSquaredError(tf.zeros([4, 1]), tf.zeros([4])),
      'meanSquaredError: target [4], expected that of the prediction, [4, 1]',
    ],
  ])('%s is refused, and nothing outside of it is read', (_, loss, problem) => {
    expect(() => tf.tidy(loss)).toThrow(problem)
  })
})
