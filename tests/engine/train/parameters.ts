import * as tf from '@tensorflow/tfjs'
import { PLAIN } from '../../../engine/nn/layout.ts'
import type { Parameter } from '../../../engine/nn/scope.ts'

/** Runs `body` with parameters of these values, without a model around them; one dimension each, all with weight decay. */
export async function withParameters<T>(
  values: Record<string, number[]>,
  body: (parameters: Parameter[]) => T | Promise<T>,
): Promise<T> {
  const parameters = Object.entries(values).map(([name, value]): Parameter => {
    const variable = tf.tidy(() => tf.variable(tf.tensor1d(value)))
    return { name, shape: [value.length], layout: PLAIN, decay: true, trained: true, variable }
  })
  try {
    return await body(parameters)
  } finally {
    tf.dispose(parameters.map(({ variable }) => variable))
  }
}

/** Their values by name. */
export function valuesOf(parameters: Parameter[]): Record<string, number[]> {
  return Object.fromEntries(parameters.map(({ name, variable }) => [name, Array.from(variable.dataSync())]))
}
