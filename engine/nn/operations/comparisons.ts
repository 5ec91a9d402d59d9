import * as tf from '@tensorflow/tfjs-core'

type Operand = tf.Tensor | number

/** A comparison of values, broadcast, whose result is bool. It is constant for gradients, as a step is between its jumps. */
const comparison = (run: (a: Operand, b: Operand) => tf.Tensor) => (a: Operand, b: Operand) =>
  // without inputs of its own, no gradient reaches a and b from here
  tf.customGrad(() => ({ value: run(a, b), gradFunc: () => [] }))()

/** Where a > b: bool, in the shape of both broadcast. */
export const greater: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.greater)
/** Where a >= b. */
export const greaterEqual: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.greaterEqual)
/** Where a < b. */
export const less: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.less)
/** Where a <= b. */
export const lessEqual: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.lessEqual)
/** Where a = b. */
export const equal: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.equal)
/** Where a and b differ. */
export const notEqual: (a: Operand, b: Operand) => tf.Tensor = comparison(tf.notEqual)
