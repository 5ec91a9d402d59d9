import * as tf from '@tensorflow/tfjs-core'

/** Mean over the batch of -log softmax(logits)[label]: `[batch, classes]`, `[batch]` int32, to a scalar. */
export function softmaxCrossEntropy(logits: tf.Tensor, labels: tf.Tensor): tf.Scalar {
  const classes = logits.shape.at(-1) ?? 1
  const chosen = tf.mul(tf.oneHot(labels as tf.Tensor1D, classes), tf.logSoftmax(logits))
  return tf.neg(tf.div(tf.sum(chosen), labels.size)) as tf.Scalar
}
