import * as tf from '@tensorflow/tfjs-core'
import { compiled } from '../compile/model.ts'
import type { Slow } from '../compile/slow.ts'
import type { Mode, Model } from '../nn/model.ts'

export interface Differentiated {
  loss: tf.Scalar
  /** By parameter name. */
  gradients: tf.NamedTensorMap
}

/** Loss and gradients of batch after batch. */
export interface Differentiator {
  /** `step` counts the updates done and names what is drawn. The caller disposes what it gets. Not inside `tf.tidy`. */
  run(batch: tf.NamedTensorMap, step: number): Promise<Differentiated>
  /** Why it runs operation by operation, once it does. */
  slow(): Slow | null
  dispose(): void
}

/** The loss of a batch, from its tensors by name; passes `mode` on to the model. */
export type LossOf = (batch: tf.NamedTensorMap, mode: Mode) => tf.Scalar

/** Differentiates a loss by the trained parameters of a model; `program` as for `compiled`. */
export function differentiator(model: Model, lossOf: LossOf, { program = true } = {}): Differentiator {
  const names = model.trained.map(({ name }) => name)
  const code = compiled<string>(model, { training: true, program }, (batch, { mode, parameters, backward }) => {
    const forward = () => {
      const loss = lossOf(batch, mode)
      backward()
      return loss
    }
    const { value, grads } = tf.engine().gradients(
      forward,
      names.map((name) => parameters[name] as tf.Tensor),
    )
    return { loss: value, ...Object.fromEntries(names.map((name, i) => [GRADIENT + name, grads[i] as tf.Tensor])) }
  })
  return {
    run: async (batch, step) => {
      const { loss, ...gradients } = await code.run(batch, step)
      const named = names.map((name) => [name, gradients[GRADIENT + name] as tf.Tensor])
      return { loss: loss as tf.Scalar, gradients: Object.fromEntries(named) }
    },
    slow: code.slow,
    dispose: code.dispose,
  }
}

/** In front of the name of a parameter among the outputs. */
const GRADIENT = 'gradient/'
