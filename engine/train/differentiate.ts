import * as tf from '@tensorflow/tfjs-core'
import type { EagerFallback } from '../compile/eagerFallback.ts'
import { compiled, type ModelCode } from '../compile/model.ts'
import { GRADIENT } from '../compile/training.ts'
import { MixlabError } from '../errors.ts'
import { registerGradients } from '../gradients/register.ts'
import type { Mode, Model } from '../nn/model.ts'

export interface Differentiated {
  loss: tf.Scalar
  /** By parameter name. */
  gradients: tf.NamedTensorMap
}

/** Computes loss and gradients of a batch: forward and backward pass (autograd). */
export interface Differentiator {
  /** `step` counts the updates done and names what is drawn. The caller disposes what it gets. Not inside `tf.tidy`. */
  run(batch: tf.NamedTensorMap, step: number): Promise<Differentiated>
  /** Why it runs operation by operation, once it does. */
  fallback(): EagerFallback | null
  dispose(): void
}

/** The loss of a batch, from its tensors by name; passes `mode` on to the model. */
export type LossOf = (batch: tf.NamedTensorMap, mode: Mode) => tf.Scalar

/** The autograd of a loss: differentiates it by the trained parameters of a model; `program` as for `compiled`. */
export function differentiator(model: Model, lossOf: LossOf, { program = true } = {}): Differentiator {
  const names = model.trained.map(({ name }) => name)
  const code = compiled<string>(model, { training: true, program }, gradientCode(model, lossOf))
  return {
    run: async (batch, step) => {
      const { loss, ...gradients } = await code.run(batch, step)
      const named = names.map((name) => [name, gradients[GRADIENT + name] as tf.Tensor])
      return { loss: loss as tf.Scalar, gradients: Object.fromEntries(named) }
    },
    fallback: code.fallback,
    dispose: code.dispose,
  }
}

const UNUSED = 'leave out what makes it, or give parameter() the option trained: false'

/**
 * The loss, and the gradients by the trained parameters, under the names of training.ts. It throws MixlabError `option` where
 * a trained parameter has none.
 */
export function gradientCode(model: Pick<Model, 'trained'>, lossOf: LossOf): ModelCode<string> {
  registerGradients()
  const names = model.trained.map(({ name }) => name)
  return (batch, { mode, parameters, backward }) => {
    const forward = () => {
      const loss = lossOf(batch, mode)
      backward()
      return loss
    }
    const { value, grads } = differentiated(
      forward,
      names.map((name) => parameters[name] as tf.Tensor),
    )
    const gradients = names.map((name, i) => {
      const gradient: tf.Tensor | undefined = grads[i]
      if (!gradient) throw new MixlabError('option', name, `the loss does not depend on it; ${UNUSED}`)
      return [GRADIENT + name, gradient]
    })
    return { loss: value, ...Object.fromEntries(gradients) }
  }
}

/** What `forward` gives, and its gradients; where it throws, without the tensors that tfjs has saved for the backward pass. */
function differentiated(forward: () => tf.Scalar, by: tf.Tensor[]) {
  const engine = tf.engine()
  try {
    return engine.gradients(forward, by)
  } catch (error) {
    const { state } = engine
    if (state.gradientDepth === 0) {
      for (const { saved = [] } of state.activeTape ?? []) tf.dispose(saved)
      state.activeTape = null as never
    }
    throw error
  }
}
