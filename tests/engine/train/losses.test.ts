import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { softmaxCrossEntropy } from '../../../engine/train/losses.ts'

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
