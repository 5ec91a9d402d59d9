import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../nn/scope.ts'
import { loadWeights } from '../weights/model.ts'

/**
 * Runs `body` while parameters have other values: those of a file, or tensors by name, which it disposes. All parameters
 * get their own back however that ends.
 */
export async function withWeights<T>(
  parameters: Parameter[],
  values: Uint8Array | tf.NamedTensorMap,
  body: () => Promise<T>,
): Promise<T> {
  const own = parameters.map(({ variable }) => ({ variable, value: tf.clone(variable) }))
  try {
    if (values instanceof Uint8Array) loadWeights(parameters, values)
    else for (const { name, variable } of parameters) if (values[name]) variable.assign(values[name])
    return await body()
  } finally {
    for (const { variable, value } of own) variable.assign(value)
    tf.dispose([own.map(({ value }) => value), values instanceof Uint8Array ? {} : values])
  }
}
