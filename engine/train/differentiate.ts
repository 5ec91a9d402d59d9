import * as tf from '@tensorflow/tfjs-core'
import { compiled, type ModelCode } from '../compile/model.ts'
import type { Slow } from '../compile/slow.ts'
import { GRADIENT } from '../compile/training.ts'
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
  const code = compiled<string>(model, { training: true, program }, gradientCode(model, lossOf))
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

/** The loss, and the gradients by the trained parameters, under the names of training.ts. */
export function gradientCode(model: Pick<Model, 'trained'>, lossOf: LossOf): ModelCode<string> {
  const names = model.trained.map(({ name }) => name)
  return (batch, { mode, parameters, backward }) => {
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
  }
}
