import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../../nn/scope.ts'
import { type UpdateKernel, updateInPlace } from '../fusedUpdate.ts'
import type { Optimizer, OptimizerState } from './types.ts'

/** The inputs of the update of one parameter. */
export interface Change<Slot extends string> {
  parameter: Parameter
  /** Of the shape of the parameter. */
  gradient: tf.Tensor
  learningRate: number
  /** Updates done, this one included. */
  step: number
  /** The optimizer state of this parameter, by slot; zeros before the first update. */
  memory: Record<Slot, tf.Variable>
}

/** How an optimizer changes parameters. */
export interface UpdateRule<Slot extends string> {
  slots: readonly Slot[]
  /** Applied to all gradients first, such as a limit of their norm. */
  prepare?: ((gradients: tf.NamedTensorMap) => tf.NamedTensorMap) | undefined
  /** The new value of one parameter; updates its state. */
  next: (change: Change<Slot>) => tf.Tensor
  /** A kernel that does the same to all parameters at once, and the options that it gets. */
  kernel?: { name: UpdateKernel; options: tf.NamedAttrMap }
}

/** An optimizer that takes parameter by parameter, or all at once where the current backend has a kernel for that. */
export function perParameter<Slot extends string>(
  parameters: Parameter[],
  { slots, prepare, next, kernel }: UpdateRule<Slot>,
): Optimizer {
  const memories = parameters.map(({ shape }) => {
    const entries = slots.map((slot) => [slot, tf.tidy(() => tf.variable(tf.zeros(shape), false))])
    return Object.fromEntries(entries) as Record<Slot, tf.Variable>
  })
  const named = parameters.flatMap(({ name }, i) =>
    Object.entries<tf.Variable>(memories[i] ?? {}).map(([slot, tensor]) => [`${slot}.${name}`, tensor]),
  )
  const state: OptimizerState = { step: 0, tensors: Object.fromEntries(named) }
  const columns = [
    parameters.map(({ variable }) => variable),
    ...slots.map((slot) => memories.map((each) => each[slot])),
  ]
  const decays = parameters.map(({ decay }) => decay)
  return {
    rule: kernel && { kernel: kernel.name, options: kernel.options, slots },
    update: (gradients, learningRate) => {
      state.step += 1
      const { step } = state
      const given = parameters.map(({ name }) => gradients[name] as tf.Tensor)
      const attributes = { ...kernel?.options, learningRate, step, decays }
      if (kernel && updateInPlace(kernel.name, given, columns, attributes)) return
      tf.tidy(() => {
        const prepared = prepare?.(gradients) ?? gradients
        for (const [i, parameter] of parameters.entries()) {
          const memory = memories[i] as Record<Slot, tf.Variable>
          tf.tidy(() => {
            const gradient = prepared[parameter.name] as tf.Tensor
            parameter.variable.assign(next({ parameter, gradient, learningRate, step, memory }))
          })
        }
      })
    },
    state: () => state,
    dispose: () => tf.dispose(state.tensors),
  }
}
