import * as tf from '@tensorflow/tfjs-core'
import { memoizedTable } from '../memoizedTable.ts'

/** A causal mask, `[n, n]`: `inside` where a row may look at a column, that is on the diagonal and below, else `outside`. */
export function triangle(n: number, inside: number, outside: number): tf.Tensor {
  const values = memoizedTable(`triangle/${n}/${inside}/${outside}`, () =>
    Float32Array.from({ length: n * n }, (_, at) => (at % n <= Math.floor(at / n) ? inside : outside)),
  )
  return tf.tensor(values, [n, n])
}
