import type * as tf from '@tensorflow/tfjs-core'

/** The largest difference of two values; infinite where the shapes differ, and for what is no number. */
export async function largestDifference(a: tf.Tensor, b: tf.Tensor): Promise<number> {
  if (a.shape.join() !== b.shape.join()) return Number.POSITIVE_INFINITY
  const [left, right] = [await a.data(), await b.data()]
  let largest = 0
  for (let i = 0; i < left.length; i++) {
    const difference = Math.abs((left[i] as number) - (right[i] as number))
    if (Number.isNaN(difference)) return Number.POSITIVE_INFINITY
    largest = Math.max(largest, difference)
  }
  return largest
}
