import * as tf from '@tensorflow/tfjs-core'

/**
 * The results of a kernel that only some backends have (see engine/backends/simd/kernels/fused.ts), or null where the
 * current one has not, and the caller has to say the same in operations of tfjs. Only inside a `differentiable`.
 */
export function fused(
  kernel: 'Gelu' | 'GeluGrad' | 'LayerNorm' | 'LayerNormGrad' | 'CrossEntropy' | 'CrossEntropyGrad' | 'LabelRank',
  inputs: Record<string, tf.Tensor>,
  attributes: tf.NamedAttrMap = {},
): [tf.Tensor, ...tf.Tensor[]] | null {
  if (!tf.getKernel(kernel, tf.getBackend())) return null
  if (Object.entries(inputs).some(([name, { dtype }]) => dtype !== (name === 'labels' ? 'int32' : 'float32')))
    return null
  return [tf.engine().runKernel(kernel, inputs, attributes)].flat() as [tf.Tensor, ...tf.Tensor[]]
}
