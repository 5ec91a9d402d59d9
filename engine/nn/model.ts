import * as tf from '@tensorflow/tfjs-core'
import { inPass, type Parameter, type Pass } from './scope.ts'

/** The code of a model: from an input batch to logits, in the block language. */
export type Forward = (input: tf.Tensor) => tf.Tensor

export interface Model {
  parameters: Parameter[]
  /** Number of trained values. */
  size: number
  /** Logits for a batch. With `training`, stochastic depth draws by (seed, step). Call inside `tf.tidy`. */
  apply(input: tf.Tensor, mode?: { training: boolean; step: number }): tf.Tensor
  dispose(): void
}

/** Makes a model for inputs of `inputShape` (with the batch axis), initialised by `seed`, on the current backend. */
export function createModel(forward: Forward, inputShape: number[], seed: number): Model {
  const parameters = new Map<string, Parameter>()
  const create: Pass['create'] = (_name, shape, fill) => tf.variable(tf.tensor(fill(), shape))
  const pass = { parameters, seed, training: false, step: 0, dropPath: 0 }
  try {
    tf.tidy(() => {
      inPass({ ...pass, create }, () => forward(tf.zeros([1, ...inputShape.slice(1)])))
    })
  } catch (error) {
    for (const { variable } of parameters.values()) variable.dispose()
    throw error
  }
  const all = [...parameters.values()]
  return {
    parameters: all,
    size: all.reduce((sum, { shape }) => sum + tf.util.sizeFromShape(shape), 0),
    apply: (input, mode) => inPass({ ...pass, ...mode, create: null }, () => forward(input)),
    dispose: () => {
      for (const { variable } of all) variable.dispose()
    },
  }
}
