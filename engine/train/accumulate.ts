import * as tf from '@tensorflow/tfjs-core'
import type { Differentiator } from './differentiate.ts'

/**
 * Gradient accumulation: a batch is computed in `parts` equal parts, one after the other, and loss and gradients are the
 * means of theirs. Where the loss is a mean over examples this is the loss of the whole batch up to rounding, in the
 * memory of one part. What sees a whole batch sees a part instead: batch norms, and losses with weights of their own.
 * Dropout and stochastic depth draw anew for each part.
 */
export function accumulating(differences: Differentiator, parts: number): Differentiator {
  if (parts === 1) return differences
  return {
    ...differences,
    run: async (batch, step) => {
      let names: string[] = []
      let sums: tf.Tensor[] = []
      for (let i = 0; i < parts; i++) {
        const part = tf.tidy(() => partOf(batch, i, parts))
        const { loss, gradients } = await differences.run(part, step * parts + i)
        names = Object.keys(gradients)
        const values = [loss, ...Object.values(gradients)]
        const added = tf.tidy(() => values.map((value, k) => plus(sums[k], tf.mul(value, 1 / parts))))
        tf.dispose([part, values, sums])
        sums = added
      }
      const [loss, ...means] = sums as [tf.Scalar, ...tf.Tensor[]]
      return { loss, gradients: Object.fromEntries(names.map((name, k) => [name, means[k] as tf.Tensor])) }
    },
  }
}

/** Examples i / parts to (i + 1) / parts of every tensor. */
function partOf(batch: tf.NamedTensorMap, i: number, parts: number): tf.NamedTensorMap {
  const slices = Object.entries(batch).map(([name, tensor]) => {
    const count = (tensor.shape[0] ?? 0) / parts
    return [name, tf.slice(tensor, i * count, count)]
  })
  return Object.fromEntries(slices)
}

function plus(sum: tf.Tensor | undefined, value: tf.Tensor): tf.Tensor {
  return sum ? tf.add(sum, value) : value
}
