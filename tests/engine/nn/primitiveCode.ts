import * as tf from '@tensorflow/tfjs'
import type { ModelCode } from '../../../engine/compile/model.ts'
import { GRADIENT } from '../../../engine/compile/training.ts'
import { createModel, type Forward, type Model } from '../../../engine/nn/model.ts'
import { drawn } from './gradients.ts'

/** Examples of so many tokens and channels. */
export const SHAPE = [6, 8]

/** A function of the block language as a model, whose parameters are not near their first values. */
export function primitiveModel(forward: Forward): Model {
  const model = createModel(forward, { shape: [1, ...SHAPE] }, 5)
  for (const { name, shape, variable } of model.parameters) {
    tf.tidy(() => variable.assign(tf.add(variable, tf.mul(drawn(name, shape), 0.3))))
  }
  return model
}

/** Its output, and the gradients of the mean of that times some weights, of `input` and all parameters. */
export function primitiveCode(model: Model): ModelCode<string> {
  return ({ input }, { mode, parameters, backward }) => {
    const x = input as tf.Tensor
    const names = model.trained.map(({ name }) => name)
    const wanted = [x, ...names.map((name) => parameters[name] as tf.Tensor)]
    let output: tf.Tensor | null = null
    const { grads } = tf.engine().gradients(() => {
      const y = model.apply(x, mode)
      output = tf.keep(y) // outlives the tape
      const loss = tf.mean(tf.mul(y, drawn('weights', y.shape.slice(1)))) as tf.Scalar
      backward()
      return loss
    }, wanted)
    const gradients = ['input', ...names].map((name, i) => [GRADIENT + name, grads[i] as tf.Tensor])
    return { output: output as unknown as tf.Tensor, ...Object.fromEntries(gradients) }
  }
}
