import * as tf from '@tensorflow/tfjs-core'
import { fusedOverParameters } from './fusedUpdate.ts'

/** The global norm: the Euclidean norm of all tensors taken as one vector. */
export function globalNorm(tensors: tf.Tensor[]): tf.Scalar {
  const norm = fusedOverParameters('GlobalNorm', tensors)?.[0]
  if (norm) return norm as tf.Scalar
  return tf.tidy(() => tf.sqrt(tf.sum(tf.stack(tensors.map((tensor) => tf.sum(tf.square(tensor)))))))
}

/**
 * Gradient clipping by global norm: gradients scaled down together so that their global norm is at most `limit`, and the norm they had. As
 * torch.nn.utils.clip_grad_norm_: all are multiplied by limit / (norm + 1e-6), or by 1 if that is more.
 */
export function clipByGlobalNorm(
  gradients: tf.NamedTensorMap,
  limit: number,
): { gradients: tf.NamedTensorMap; norm: tf.Scalar } {
  return tf.tidy(() => {
    const tensors = Object.values(gradients)
    const norm = globalNorm(tensors)
    const coefficient = tf.minimum(1, tf.div(limit, tf.add(norm, 1e-6)))
    const clipped =
      fusedOverParameters('ScaleAll', [coefficient, ...tensors]) ?? tensors.map((tensor) => tf.mul(tensor, coefficient))
    const named = Object.keys(gradients).map((name, i) => [name, clipped[i]])
    return { gradients: Object.fromEntries(named) as tf.NamedTensorMap, norm }
  })
}
