import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { differentiable } from './differentiable.ts'
import { fused } from './fused.ts'

/**
 * Softmax cross entropy with targets of either kind: classes, int32 `[...]`, or distributions `[..., classes]`. Throws
 * MixlabError `option` for a target of another shape or type.
 */
export function crossEntropy(logits: tf.Tensor, target: tf.Tensor): tf.Scalar {
  const [rows, whole] = [logits.shape.slice(0, -1), logits.shape]
  const isClasses = target.dtype === 'int32' && target.shape.join() === rows.join()
  if (!isClasses && (target.dtype !== 'float32' || target.shape.join() !== whole.join())) {
    const expected = `int32 [${rows.join(', ')}] of classes or float32 [${whole.join(', ')}] of shares`
    throw mismatch('crossEntropy', `target ${target.dtype}`, target, expected)
  }
  return target.rank === logits.rank ? softTargetCrossEntropy(logits, target) : softmaxCrossEntropy(logits, target)
}

/** Mean of the squared differences of two tensors of one shape, a scalar. Throws MixlabError `option` where they have not. */
export function meanSquaredError(prediction: tf.Tensor, target: tf.Tensor): tf.Scalar {
  if (prediction.shape.join() !== target.shape.join()) {
    throw mismatch('meanSquaredError', 'target', target, `that of the prediction, [${prediction.shape.join(', ')}]`)
  }
  return tf.mean(tf.square(tf.sub(prediction, target))) as tf.Scalar
}

function mismatch(loss: string, what: string, { shape }: tf.Tensor, expected: string): MixlabError {
  return new MixlabError('option', loss, `${what} [${shape.join(', ')}], expected ${expected}`)
}

/** Mean of -sum(target * log softmax(logits)) over all rows; both `[..., classes]`, rows of `target` add up to 1. */
export function softTargetCrossEntropy(logits: tf.Tensor, target: tf.Tensor): tf.Scalar {
  const classes = logits.shape.at(-1) ?? 1
  const rows = differentiable<[tf.Tensor], tf.Tensor[]>(
    (given: tf.Tensor) => {
      const logarithms = tf.logSoftmax(given)
      const shares = tf.reshape(target, [-1, classes])
      return { value: tf.neg(tf.sum(tf.mul(shares, logarithms), -1)), saved: [logarithms, shares] }
    },
    (dy, [logarithms, shares]) =>
      tf.mul(tf.expandDims(dy, -1), tf.sub(tf.exp(logarithms as tf.Tensor), shares as tf.Tensor)),
  )(tf.reshape(logits, [-1, classes]))
  return tf.mean(rows) as tf.Scalar
}

/** Mean of -log softmax(logits)[label] over all rows: `[..., classes]`, int32 `[...]`, to a scalar. */
export function softmaxCrossEntropy(logits: tf.Tensor, labels: tf.Tensor): tf.Scalar {
  return tf.mean(negativeLogLikelihood(logits, labels)) as tf.Scalar
}

/** The same over rows weighted by `mask`, `[...]` of 0 and 1: sum(mask * nll) / (sum(mask) + eps). */
export function maskedCrossEntropy(logits: tf.Tensor, labels: tf.Tensor, mask: tf.Tensor, eps = 0): tf.Scalar {
  const weights = tf.reshape(mask, [-1])
  return tf.div(tf.sum(tf.mul(negativeLogLikelihood(logits, labels), weights)), tf.add(tf.sum(weights), eps))
}

/**
 * -log softmax(logits)[label] for each row: `[rows]`. The gradient is softmax - onehot in closed form; that of tfjs
 * fills one more tensor of the size of the logits, which for text are the largest of a model.
 */
export function negativeLogLikelihood(logits: tf.Tensor, labels: tf.Tensor): tf.Tensor {
  const classes = logits.shape.at(-1) ?? 1
  const chosen = (labels: tf.Tensor) => tf.oneHot(labels as tf.Tensor1D, classes)
  return differentiable<[tf.Tensor], tf.Tensor[]>(
    (rows: tf.Tensor) => {
      const flat = tf.reshape(labels, [-1])
      const own = fused('CrossEntropy', { logits: rows, labels: flat })
      if (own) return { value: own[0], saved: [rows, flat, own[1] as tf.Tensor] }
      const logarithms = tf.logSoftmax(rows)
      return { value: tf.neg(tf.sum(tf.mul(chosen(flat), logarithms), -1)), saved: [logarithms, flat] }
    },
    (dy, [kept, flat, normaliser]) => {
      const own =
        normaliser &&
        fused('CrossEntropyGrad', { dy, logits: kept as tf.Tensor, labels: flat as tf.Tensor, normaliser })
      if (own) return own[0]
      return tf.mul(tf.expandDims(dy, -1), tf.sub(tf.exp(kept as tf.Tensor), chosen(flat as tf.Tensor)))
    },
  )(tf.reshape(logits, [-1, classes]))
}
