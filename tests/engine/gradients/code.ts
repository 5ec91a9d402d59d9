import * as tf from '@tensorflow/tfjs'
import type { Code } from '../../../engine/compile/record.ts'
import type { Case } from './cases.ts'

/** Tensors of the inputs of a case, by their numbers. */
export function tensorsOf({ inputs }: Case): Record<string, tf.Tensor> {
  const tensors = inputs.map(({ values, shape, dtype }) => tf.tensor(values.slice() as tf.TypedArray, shape, dtype))
  return Object.fromEntries(tensors.entries())
}

/** The value of a case and its gradients. */
export const codeOf =
  ({ inputs, run }: Case): Code =>
  (given, { backward }) => {
    const all = inputs.map((_, i) => given[`${i}`] as tf.Tensor)
    const floats = all.filter(({ dtype }) => dtype === 'float32')
    const sum = () => {
      const terms = [run(...all)].flat().map((each) => tf.sum(tf.square(tf.cast(each, 'float32'))))
      backward()
      return tf.addN(terms) as tf.Scalar
    }
    const { value, grads } = tf.engine().gradients(sum, floats, undefined, true)
    const named = grads.flatMap((gradient, i) => (gradient ? [[`gradient ${i}`, gradient] as const] : []))
    return { value, ...Object.fromEntries(named) }
  }

/** The cases of an operation that have gradients, every so many of them. */
export function withGradients(cases: Case[], every: number): Case[] {
  return cases.filter(({ inputs }) => inputs.some(({ dtype }) => dtype === 'float32')).filter((_, i) => i % every === 0)
}
