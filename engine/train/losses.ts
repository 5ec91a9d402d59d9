import * as tf from '@tensorflow/tfjs-core'

/** Mean of -log softmax(logits)[label] over all rows: `[..., classes]`, int32 `[...]`, to a scalar. */
export function softmaxCrossEntropy(logits: tf.Tensor, labels: tf.Tensor): tf.Scalar {
  return tf.mean(negativeLogLikelihood(logits, labels)) as tf.Scalar
}

/** The same over rows weighted by `mask`, `[...]` of 0 and 1: sum(mask * nll) / sum(mask). */
export function maskedCrossEntropy(logits: tf.Tensor, labels: tf.Tensor, mask: tf.Tensor): tf.Scalar {
  const weights = tf.reshape(mask, [-1])
  return tf.div(tf.sum(tf.mul(negativeLogLikelihood(logits, labels), weights)), tf.sum(weights))
}

/** -log softmax(logits)[label] for each row: `[rows]`. */
function negativeLogLikelihood(logits: tf.Tensor, labels: tf.Tensor): tf.Tensor {
  const classes = logits.shape.at(-1) ?? 1
  const rows = tf.logSoftmax(tf.reshape(logits, [-1, classes]))
  return tf.neg(tf.sum(tf.mul(tf.oneHot(tf.reshape(labels, [-1]) as tf.Tensor1D, classes), rows), -1))
}
