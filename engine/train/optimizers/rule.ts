import * as tf from '@tensorflow/tfjs-core'
import { type Fail, MixlabError, suggest } from '../../errors.ts'

/** What the functions of an optimizer get for one parameter. */
export interface RuleInputs<Options> {
  /** Before the update. */
  weight: tf.Tensor
  /** Of the shape of the weight, clipped where the recipe clips. */
  gradient: tf.Tensor
  /** Global norm of the gradients of all parameters of this optimizer; a scalar. */
  norm: tf.Scalar
  /** That of the schedule at this step; a scalar. */
  learningRate: tf.Scalar
  /** Updates done, this one included; a scalar. */
  step: tf.Scalar
  /** The option `weightDecay`, and 0 for parameters without decay, as biases and norms. */
  decay: number
  options: Options
}

/** The inputs, with the state of the parameter and the scalars of the step by their names. */
export type Inputs<Options, State extends string, Scalar extends string> = RuleInputs<Options> &
  Record<State, tf.Tensor> &
  Record<Scalar, tf.Scalar>

/** What is there of a parameter where it is evaluated. */
type Evaluated<Options, State extends string> = Pick<RuleInputs<Options>, 'weight' | 'step' | 'decay' | 'options'> &
  Record<State, tf.Tensor>

/** An optimizer, written for one parameter. Nothing is assigned: what is new is returned. */
export interface OptimizerRule<Options, State extends string = never, Scalar extends string = never> {
  /**
   * What it remembers of a parameter: names, for zeros of the shape of the weight, or a function that gives the first
   * value of each, of any shape, e.g. `(weight) => ({ slow: weight, total: tf.scalar(0) })`.
   */
  state?: readonly State[] | ((weight: tf.Tensor, options: Options) => Record<State, tf.Tensor>)
  /** Numbers of a step, computed in double precision, e.g. `({ step, options: { beta } }) => ({ bias: 1 - beta ** step })`. */
  scalars?: (numbers: { learningRate: number; step: number; options: Options }) => Record<Scalar, number>
  /** The new weight and the new state, all by name. */
  update: (inputs: Inputs<Options, NoInfer<State>, NoInfer<Scalar>>) => Record<NoInfer<State> | 'weight', tf.Tensor>
  /** The weight that is evaluated, chosen, kept as a snapshot and exported, from the one that is trained and the state. */
  evaluationWeights?: (inputs: Evaluated<Options, NoInfer<State>>) => tf.Tensor
  /**
   * The weight at which the same batch, with the same draws, is differentiated once more; `update` gets that second
   * gradient, and the weight as it was.
   */
  secondGradient?: (inputs: Inputs<Options, NoInfer<State>, NoInfer<Scalar>>) => tf.Tensor
}

/** A rule whose names are not known to types. */
export type AnyRule = OptimizerRule<Record<string, unknown>, string, string>
export type AnyInputs = Inputs<Record<string, unknown>, string, string>

/** Names that inputs have already. */
export const TAKEN = ['weight', 'gradient', 'norm', 'learningRate', 'step', 'decay', 'options']

/** An error about code of an optimizer, for a parameter if one is named. */
export function ruleError(name: string, what: string, parameter?: string): MixlabError {
  return new MixlabError('option', `optimizer '${name}'${parameter ? ` for '${parameter}'` : ''}`, what)
}

/** The first state of a parameter. Throws by `fail` where the function gives something else than tensors by name. */
export function firstState({ state = [] }: AnyRule, weight: tf.Tensor, options: object, fail: Fail) {
  if (typeof state !== 'function') return Object.fromEntries(state.map((slot) => [slot, tf.zerosLike(weight)]))
  const given: unknown = state(weight, options as Record<string, unknown>)
  if (!isByName(given)) {
    throw fail(`state gave ${shown(given)}, expected tensors by name`)
  }
  for (const [slot, value] of Object.entries(given)) {
    if (TAKEN.includes(slot)) throw fail(`state cannot be called '${slot}': update has that already`)
    if (!(value instanceof tf.Tensor)) throw fail(`state gave ${shown(value)} for '${slot}', expected a tensor`)
  }
  return given as Record<string, tf.Tensor>
}

/**
 * What `update` says of one parameter. Throws by `fail` where it leaves out a value, has one too many, or one of another
 * shape or type than before.
 */
export function updated(rule: AnyRule, inputs: AnyInputs, slots: readonly string[], fail: Fail) {
  const given: unknown = rule.update(inputs)
  const names = ['weight', ...slots]
  if (!isByName(given)) {
    throw fail(`update gave ${shown(given)}, expected { ${names.join(', ')} }`)
  }
  const missing = names.find((each) => !Object.hasOwn(given, each))
  if (missing) throw fail(`update gave no '${missing}', expected { ${names.join(', ')} }`)
  const other = Object.keys(given).find((each) => !names.includes(each))
  if (other) throw fail(`update gave '${other}', which it has no state for${suggest(other, names)}`)
  const all = given as Record<string, tf.Tensor>
  for (const each of names)
    checkLike(`update gave '${each}'`, all[each], inputs[each] as tf.Tensor, inputs.weight, fail)
  return all
}

/** Throws by `fail` unless a value is a tensor like the one that it replaces. */
export function checkLike(what: string, value: unknown, before: tf.Tensor, weight: tf.Tensor, fail: Fail): void {
  const of = before === weight ? '' : ` where the weight is [${weight.shape}]`
  if (!(value instanceof tf.Tensor)) throw fail(`${what}: ${shown(value)}, expected a tensor [${before.shape}]`)
  if (!tf.util.arraysEqual(value.shape, before.shape)) {
    throw fail(`${what}: [${value.shape}], expected [${before.shape}]${of}`)
  }
  if (value.dtype !== before.dtype) throw fail(`${what}: ${value.dtype}, expected ${before.dtype}`)
}

function isByName(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof tf.Tensor) && !('then' in value)
}

function shown(value: unknown): string {
  if (value instanceof tf.Tensor) return `a tensor [${value.shape}]`
  if (value === null || value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'object' && 'then' in value ? 'a promise' : `a value of type ${typeof value}`
}
