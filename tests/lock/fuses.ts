import * as tf from '@tensorflow/tfjs'

/**
 * Whether the current backend multiplies and adds with one rounding: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 then, and 0 where
 * the square is rounded first.
 */
export async function fusesMultiplyAdd(): Promise<boolean> {
  const [near, square] = [1 + 2 ** -12, 1 + 2 ** -11]
  const product = tf.tidy(() =>
    tf.matMul(tf.tensor2d([[1, near]]), tf.tensor2d([Array(16).fill(-square), Array(16).fill(near)])),
  )
  const values = await product.data()
  product.dispose()
  return values.every((value) => value === 2 ** -24)
}
