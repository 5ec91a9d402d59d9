import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../../nn/scope.ts'
import type { Optimizer, OptimizerState } from './types.ts'

/** What the new value of a parameter is made of. */
export interface Change<Slot extends string> {
  parameter: Parameter
  /** Of the shape of the parameter. */
  gradient: tf.Tensor
  learningRate: number
  /** Updates done, this one included. */
  step: number
  /** What is remembered of this parameter, by slot; zeros before the first update. */
  memory: Record<Slot, tf.Variable>
}

/** An optimizer that takes parameter by parameter: `next` gives a new value and assigns to the memory. */
export function perParameter<Slot extends string>(
  slots: readonly Slot[],
  parameters: Parameter[],
  next: (change: Change<Slot>) => tf.Tensor,
): Optimizer {
  const memories = parameters.map(({ shape }) => {
    const entries = slots.map((slot) => [slot, tf.tidy(() => tf.variable(tf.zeros(shape), false))])
    return Object.fromEntries(entries) as Record<Slot, tf.Variable>
  })
  const named = parameters.flatMap(({ name }, i) =>
    Object.entries<tf.Variable>(memories[i] ?? {}).map(([slot, tensor]) => [`${slot}.${name}`, tensor]),
  )
  const state: OptimizerState = { step: 0, tensors: Object.fromEntries(named) }
  return {
    update: (gradients, learningRate) => {
      state.step += 1
      for (const [i, parameter] of parameters.entries()) {
        const memory = memories[i] as Record<Slot, tf.Variable>
        tf.tidy(() => {
          const gradient = gradients[parameter.name] as tf.Tensor
          parameter.variable.assign(next({ parameter, gradient, learningRate, step: state.step, memory }))
        })
      }
    },
    state: () => state,
    dispose: () => tf.dispose(state.tensors),
  }
}
