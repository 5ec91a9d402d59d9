import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../nn/differentiable.ts'

/** Mean of -log softmax(logits)[label] over all rows: `[..., classes]`, int32 `[...]`, to a scalar. */
export function softmaxCrossEntropy(logits: tf.Tensor, labels: tf.Tensor): tf.Scalar {
  return tf.mean(negativeLogLikelihood(logits, labels)) as tf.Scalar
}

/** The same over rows weighted by `mask`, `[...]` of 0 and 1: sum(mask * nll) / sum(mask). */
export function maskedCrossEntropy(logits: tf.Tensor, labels: tf.Tensor, mask: tf.Tensor): tf.Scalar {
  const weights = tf.reshape(mask, [-1])
  return tf.div(tf.sum(tf.mul(negativeLogLikelihood(logits, labels), weights)), tf.sum(weights))
}

/**
 * -log softmax(logits)[label] for each row: `[rows]`. The gradient is softmax - onehot in closed form; that of tfjs
 * fills one more tensor of the size of the logits, which for text are the largest of a model.
 */
function negativeLogLikelihood(logits: tf.Tensor, labels: tf.Tensor): tf.Tensor {
  const classes = logits.shape.at(-1) ?? 1
  const chosen = (labels: tf.Tensor) => tf.oneHot(labels as tf.Tensor1D, classes)
  return differentiable(
    (rows: tf.Tensor) => {
      const logarithms = tf.logSoftmax(rows)
      const flat = tf.reshape(labels, [-1])
      return { value: tf.neg(tf.sum(tf.mul(chosen(flat), logarithms), -1)), saved: [logarithms, flat] }
    },
    (dy, [logarithms, flat]) => tf.mul(tf.expandDims(dy, -1), tf.sub(tf.exp(logarithms), chosen(flat))),
  )(tf.reshape(logits, [-1, classes]))
}
