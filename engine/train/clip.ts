import * as tf from '@tensorflow/tfjs-core'

/** The Euclidean norm of tensors taken as one vector. */
export function globalNorm(tensors: tf.Tensor[]): tf.Scalar {
  return tf.tidy(() => tf.sqrt(tf.sum(tf.stack(tensors.map((tensor) => tf.sum(tf.square(tensor)))))))
}

/**
 * Gradients scaled down together so that their global norm is at most `limit`, and the norm they had. As
 * torch.nn.utils.clip_grad_norm_: all are multiplied by limit / (norm + 1e-6), or by 1 if that is more.
 */
export function clipByGlobalNorm(
  gradients: tf.NamedTensorMap,
  limit: number,
): { gradients: tf.NamedTensorMap; norm: tf.Scalar } {
  return tf.tidy(() => {
    const norm = globalNorm(Object.values(gradients))
    const coefficient = tf.minimum(1, tf.div(limit, tf.add(norm, 1e-6)))
    const clipped = Object.entries(gradients).map(([name, gradient]) => [name, tf.mul(gradient, coefficient)])
    return { gradients: Object.fromEntries(clipped) as tf.NamedTensorMap, norm }
  })
}
