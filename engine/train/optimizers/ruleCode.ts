import * as tf from '@tensorflow/tfjs-core'
import { withoutChance } from '../../chance.ts'
import { withPlace } from '../../definitions.ts'
import type { Fail } from '../../errors.ts'
import type { Parameter } from '../../nn/scope.ts'
import { globalNorm } from '../clip.ts'
import { type AnyInputs, type AnyRule, checkLike, firstState, ruleError, updated } from './rule.ts'

/** Tensors of one update that are no parameter's own. */
export interface StepTensors {
  /** Global norm of all gradients; computed where it is asked for. */
  norm: () => tf.Scalar
  step: tf.Scalar
  /** Learning rate and scalars of the rule, for each factor of the learning rate. */
  rates: readonly Record<string, tf.Scalar>[]
}

/** The functions of a rule for the parameters of an optimizer, by their places; nothing is assigned. */
export interface RuleCode {
  parameters: readonly Parameter[]
  /** Makes an error about what it does to parameter `i`. */
  failOf(i: number): Fail
  slots: readonly string[]
  /** What is remembered of each parameter, by slot. */
  memories: readonly Record<string, tf.Variable>[]
  /** The weight and the state of a parameter as they are, beside its gradient. */
  ownOf(i: number, gradient: tf.Tensor): tf.NamedTensorMap
  /** The tensors of a step. Not in `tf.tidy` alone: `free` disposes the norm. */
  stepOf(learningRate: number, step: number, gradients: tf.NamedTensorMap): StepTensors & { free(): void }
  update(i: number, own: tf.NamedTensorMap, step: StepTensors): tf.NamedTensorMap
  secondGradient: ((i: number, own: tf.NamedTensorMap, step: StepTensors) => tf.Tensor) | undefined
  evaluationWeights: ((i: number, step: tf.Scalar) => tf.Tensor) | undefined
}

/** Binds a rule to parameters, whose learning rates are times `rates`. Throws MixlabError `option` for a wrong state. */
export function ruleCode(
  { name, rule, definition }: { name: string; rule: AnyRule; definition: object },
  options: Record<string, unknown>,
  parameters: readonly Parameter[],
  rates: readonly number[],
): RuleCode {
  const failOf = (i: number): Fail => {
    return (what) => withPlace(ruleError(name, what, parameters[i]?.name), definition)
  }
  const memories = tf.tidy(() => {
    // variables only once all is right
    const first = parameters.map(({ variable }, i) => Object.entries(firstState(rule, variable, options, failOf(i))))
    return first.map((values): Record<string, tf.Variable> => {
      return Object.fromEntries(values.map(([slot, value]) => [slot, tf.variable(value, false)]))
    })
  })
  const slots = Object.keys(memories[0] ?? {})
  const distinct = [...new Set(rates)]
  const { weightDecay = 0 } = options as { weightDecay?: number }
  const { secondGradient, evaluationWeights } = rule
  const alike = <Result>(run: () => Result) => withoutChance(run, 'an update must not draw')

  function inputsOf(i: number, own: tf.NamedTensorMap, { norm, step, rates: numbers }: StepTensors): AnyInputs {
    const decay = parameters[i]?.decay ? weightDecay : 0
    const inputs = { ...own, ...numbers[distinct.indexOf(rates[i] as number)], step, decay, options }
    return Object.defineProperty(inputs, 'norm', { get: norm, enumerable: true }) as unknown as AnyInputs
  }

  function weightOf(i: number, what: string, value: unknown): tf.Tensor {
    const weight = parameters[i]?.variable as tf.Tensor
    checkLike(`${what} gave`, value, weight, weight, failOf(i))
    return valueNow(value as tf.Tensor)
  }

  return {
    parameters,
    failOf,
    slots,
    memories,
    ownOf: (i, gradient) => ({ weight: parameters[i]?.variable as tf.Tensor, gradient, ...memories[i] }),
    stepOf: (learningRate, step, gradients) => {
      let norm: tf.Scalar | undefined
      return {
        norm: () => {
          norm ??= tf.keep(globalNorm(parameters.map(({ name }) => gradients[name] as tf.Tensor)))
          return norm
        },
        free: () => void norm?.dispose(),
        step: tf.scalar(step),
        rates: distinct.map((rate) => {
          const own = learningRate * rate
          const numbers = { learningRate: own, ...alike(() => rule.scalars?.({ learningRate: own, step, options })) }
          return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, tf.scalar(value)]))
        }),
      }
    },
    update: (i, own, step) => {
      const next = Object.entries(alike(() => updated(rule, inputsOf(i, own, step), slots, failOf(i))))
      return Object.fromEntries(next.map(([each, value]) => [each, valueNow(value)]))
    },
    secondGradient:
      secondGradient &&
      ((i, own, step) =>
        weightOf(
          i,
          'secondGradient',
          alike(() => secondGradient(inputsOf(i, own, step))),
        )),
    evaluationWeights:
      evaluationWeights &&
      ((i, step) => {
        const own = { weight: parameters[i]?.variable as tf.Tensor, ...memories[i] }
        const none = () => tf.scalar(Number.NaN)
        const inputs = inputsOf(i, own, { norm: none, step, rates: distinct.map(() => ({})) })
        return weightOf(
          i,
          'evaluationWeights',
          alike(() => evaluationWeights(inputs)),
        )
      }),
  }
}

/** What a variable holds now, where a function gives it back as it is. */
function valueNow(tensor: tf.Tensor): tf.Tensor {
  return tensor instanceof tf.Variable ? tf.clone(tensor) : tensor
}
