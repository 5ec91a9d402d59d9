import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../../nn/scope.ts'
import { type UpdateKernel, updateInPlace } from '../fusedUpdate.ts'
import { scaledChanges } from '../layerDecay.ts'
import { checkUpdates } from './checkUpdates.ts'
import type { AnyRule } from './rule.ts'
import { ruleCode, type StepTensors } from './ruleCode.ts'
import type { Optimizer, OptimizerState } from './types.ts'
import { updateProgram } from './updateProgram.ts'

/** What an optimizer does to a parameter. */
interface Ruled {
  name: string
  rule: AnyRule
  /** What a cell has of it. */
  definition: object
  /** Does the same to all parameters at once, on backends that have it; it gets the options. */
  kernel?: UpdateKernel | undefined
}

/**
 * An optimizer that takes parameter by parameter, or all at once where the current backend has a kernel for that, or
 * programs. `rates` are factors of the learning rate; of what is linear in it, as kernels are, the change is scaled.
 */
export function perParameter(
  { kernel, ...ruled }: Ruled,
  options: Record<string, unknown>,
  parameters: Parameter[],
  rates?: readonly number[],
): Optimizer {
  const code = ruleCode(ruled, options, parameters, rates && !kernel ? rates : parameters.map(() => 1))
  const { memories, slots, ownOf, stepOf, update, secondGradient, evaluationWeights } = code
  const named = parameters.flatMap((parameter, i) =>
    slots.map((slot) => [`${slot}.${parameter.name}`, memories[i]?.[slot] as tf.Variable] as const),
  )
  const state: OptimizerState = { step: 0, tensors: Object.fromEntries(named) }
  const columns = [
    parameters.map(({ variable }) => variable),
    ...slots.map((slot) => memories.map((each) => each[slot] as tf.Variable)),
  ]
  const plain = Object.entries(options).map(([option, value]) => [option, value ?? 0])
  const own = kernel && { kernel, options: Object.fromEntries(plain) as tf.NamedAttrMap, slots }
  const decays = parameters.map(({ decay }) => decay)
  const program = updateProgram(code)
  let checked = false

  /** Runs `body` for a step with gradients by name; what it keeps of tensors, it returns. */
  function during<T extends tf.TensorContainer>(
    gradients: tf.NamedTensorMap,
    learningRate: number,
    body: (given: tf.NamedTensorMap[], step: StepTensors) => T,
  ): T {
    return tf.tidy(() => {
      const step = stepOf(learningRate, state.step, gradients)
      try {
        return body(
          parameters.map(({ name }, i) => ownOf(i, gradients[name] as tf.Tensor)),
          step,
        )
      } finally {
        step.free()
      }
    })
  }

  const optimizer: Optimizer = {
    rule: secondGradient || evaluationWeights ? undefined : own,
    prepare: async (wanted) => {
      if (!checked && (!kernel || secondGradient || evaluationWeights)) {
        await checkUpdates(code, options.learningRate as number, state.step + 1)
      }
      checked = true
      if (wanted && !kernel) await program.prepare()
    },
    fallback: program.fallback,
    update: (gradients, learningRate) => {
      state.step += 1
      const given = parameters.map(({ name }) => gradients[name] as tf.Tensor)
      const attributes = { ...own?.options, learningRate, step: state.step, decays }
      if (kernel && updateInPlace(kernel, given, columns, attributes)) return
      during(gradients, learningRate, (given, step) => {
        const results = program.run(given, step)
        for (const [i, { variable }] of parameters.entries()) {
          tf.tidy(() => {
            const { weight, ...rest } = results?.[i] ?? update(i, given[i] as tf.NamedTensorMap, step)
            variable.assign(weight as tf.Tensor)
            for (const slot of slots) memories[i]?.[slot]?.assign(rest[slot] as tf.Tensor)
          })
        }
      })
    },
    secondGradient:
      secondGradient &&
      ((gradients, learningRate) =>
        during(gradients, learningRate, (given, step) =>
          Object.fromEntries(given.map((each, i) => [parameters[i]?.name, secondGradient(i, each, step)])),
        )),
    evaluationWeights:
      evaluationWeights &&
      (() =>
        tf.tidy(() => {
          const step = tf.scalar(state.step)
          return Object.fromEntries(parameters.map(({ name }, i) => [name, evaluationWeights(i, step)]))
        })),
    state: () => state,
    dispose: () => {
      program.dispose()
      tf.dispose(state.tensors)
    },
  }
  return kernel && rates ? scaledChanges(optimizer, parameters, rates) : optimizer
}
