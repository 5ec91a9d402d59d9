import type * as tf from '@tensorflow/tfjs-core'

/** The largest difference of two tensors; infinite where the shapes differ, and for what is no number. */
export async function largestDifference(a: tf.Tensor, b: tf.Tensor): Promise<number> {
  if (a.shape.join() !== b.shape.join()) return Number.POSITIVE_INFINITY
  return furthest(await a.data(), await b.data())
}

/** The largest difference of two lists of values; infinite where they have other lengths, and for what is no number. */
export function furthest(a: ArrayLike<number>, b: ArrayLike<number> | undefined): number {
  if (a.length !== b?.length) return Number.POSITIVE_INFINITY
  let most = 0
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs((a[i] as number) - (b[i] as number))
    if (Number.isNaN(difference)) return Number.POSITIVE_INFINITY
    most = Math.max(most, difference)
  }
  return most
}
