import * as tf from '@tensorflow/tfjs-core'

/** Updates of many variables by one kernel that only some backends have; see engine/backends/simd/kernels/optimizers.ts. */
export type UpdateKernel = 'AdamWUpdate' | 'LambUpdate' | 'SgdUpdate' | 'AverageUpdate'

/**
 * Changes variables in place by a kernel of the current backend; variable i of each of `changed` goes with tensor i of
 * `given`. False where there is no such kernel; then the caller does the same by operations of tfjs.
 */
export function updateInPlace(
  kernel: UpdateKernel,
  given: tf.Tensor[],
  changed: tf.Variable[][],
  attributes: tf.NamedAttrMap,
): boolean {
  if (!tf.getKernel(kernel, tf.getBackend())) return false
  const fits = (column: tf.Tensor[]) =>
    column.every(({ dtype, size }, i) => dtype === 'float32' && size === given[i]?.size)
  if (![given, ...changed].every(fits)) return false
  const variables = changed.flat()
  for (const variable of variables) unshare(variable)
  runKernel(kernel, [...given, ...variables], attributes)
  return true
}

/** Gives a variable data of its own where others have the same, e.g. `tf.clone` of it: they keep their values. */
function unshare(variable: tf.Variable): void {
  if (tf.backend().refCount(variable.dataId) === 1) return
  tf.tidy(() => variable.assign(tf.tensor(variable.dataSync(), variable.shape)))
}

/** The results of a kernel over many tensors, or null where the current backend has none, as for `updateInPlace`. */
export function fusedOverParameters(kernel: 'GlobalNorm' | 'ScaleAll', tensors: tf.Tensor[]): tf.Tensor[] | null {
  if (!tf.getKernel(kernel, tf.getBackend())) return null
  if (tensors.some(({ dtype }) => dtype !== 'float32')) return null
  return runKernel(kernel, tensors)
}

function runKernel(kernel: string, tensors: tf.Tensor[], attributes: tf.NamedAttrMap = {}): tf.Tensor[] {
  const inputs = tensors as unknown as tf.NamedTensorMap // as tfjs itself gives lists to kernels, e.g. to Concat
  return [tf.engine().runKernel(kernel, inputs, attributes)].flat() as tf.Tensor[]
}
