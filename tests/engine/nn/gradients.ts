import * as tf from '@tensorflow/tfjs'
import { createModel, type Forward } from '../../../engine/nn/model.ts'
import { keyOf, normal } from '../../../engine/random.ts'

/** Deterministic normal values in a tensor. */
export function drawn(name: string, shape: number[]): tf.Tensor {
  const size = tf.util.sizeFromShape(shape)
  const key = keyOf(11, name)
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => normal(key, i)),
    shape,
  )
}

/**
 * The largest difference between the gradient of sum(forward(x) * weights) and central differences, over the input and
 * all parameters, each along a random direction, relative to the size of the derivative.
 */
export function gradientError(forward: Forward, shape: number[], step = 1e-2): number {
  const model = createModel(forward, { shape }, 5)
  for (const { name, shape, variable } of model.parameters) {
    tf.tidy(() => variable.assign(tf.add(variable, tf.mul(drawn(name, shape), 0.3)))) // away from zeros and ones
  }
  const input = tf.tidy(() => tf.variable(drawn('input', shape)))
  const variables = [input, ...model.parameters.map(({ variable }) => variable)]
  const weights = tf.tidy(() => drawn('output', model.apply(input).shape))
  const value = () => tf.tidy(() => tf.sum(tf.mul(model.apply(input), weights)) as tf.Scalar)
  const { value: at, grads } = tf.variableGrads(value, variables)
  const errors = variables.map((variable, i) => {
    const direction = drawn(`direction ${i}`, variable.shape)
    const grad = grads[variable.name] as tf.Tensor
    const exact = tf.tidy(() => tf.sum(tf.mul(grad, direction)).dataSync()[0] as number)
    const moved = (size: number) =>
      tf.tidy(() => {
        const before = variable.clone()
        variable.assign(tf.add(before, tf.mul(direction, size)))
        const result = value().dataSync()[0] as number
        variable.assign(before)
        return result
      })
    // fourth-order central difference: float32 rounding, not truncation, is what remains
    const estimate = (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step)
    direction.dispose()
    return Math.abs(exact - estimate) / Math.max(1, Math.abs(exact))
  })
  tf.dispose([at, grads, input, weights])
  model.dispose()
  return Math.max(...errors)
}
