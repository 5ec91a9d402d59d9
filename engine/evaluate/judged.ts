import * as tf from '@tensorflow/tfjs-core'
import { fused } from '../nn/fused.ts'
import { negativeLogLikelihood } from '../nn/losses.ts'

/** Fewer classes are sooner read than judged. */
const MANY = 256

/** Whether the current backend judges logits by itself. */
export function canJudge(): boolean {
  return tf.getKernel('LabelRank', tf.getBackend()) !== undefined
}

/**
 * What metrics need of logits `[..., classes]` and int32 labels `[...]`, each `[rows]`: -log softmax(logits)[label], and how
 * many other classes have no smaller logit. Null for few classes, other targets, and where the backend cannot; see `canJudge`.
 */
export function judged(logits: tf.Tensor, labels: tf.Tensor): { surprise: tf.Tensor; rank: tf.Tensor } | null {
  const classes = logits.shape.at(-1) ?? 1
  const isLabels = labels.dtype === 'int32' && labels.shape.join() === logits.shape.slice(0, -1).join()
  if (classes < MANY || !isLabels) return null
  const [rows, flat] = [tf.reshape(logits, [-1, classes]), tf.reshape(labels, [-1])]
  const rank = fused('LabelRank', { logits: rows, labels: flat })?.[0]
  return rank ? { surprise: negativeLogLikelihood(rows, flat), rank } : null
}
