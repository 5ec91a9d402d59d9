import * as tf from '@tensorflow/tfjs-core'
import type { Distribution } from '../../../../nn/distribution.ts'
import type { Statement } from './statements.ts'

/** A parameter or buffer of a module. */
export class Slot {
  readonly shape: number[]
  trained = false
  /** What its values are drawn from; null before they are. */
  initial: Distribution | null
  /** Its value while the module runs, and what it is given by that. */
  value: tf.Tensor | null = null
  given: tf.Tensor | null = null

  constructor(shape: number[], initial: Distribution | null) {
    this.shape = shape
    this.initial = initial
  }
}

/** A module: modules and tensors by name, and other attributes. */
export class Instance {
  readonly type: ClassOf | null
  readonly modules = new Map<string, Instance>()
  readonly tensors = new Map<string, Slot>()
  readonly others = new Map<string, Thing>()
  /** What a module of torch.nn does when it is called. */
  run: ((x: tf.Tensor) => tf.Tensor) | null = null

  constructor(type: ClassOf | null = null) {
    this.type = type
  }
}

/** A class of the source, by its methods. */
export interface ClassOf {
  name: string
  methods: Map<string, Extract<Statement, { kind: 'def' }>>
}

/** What an expression is. */
export type Thing = tf.Tensor | Slot | Instance | number | string | boolean | null | Thing[]

/** Arguments of a call, by place and by name. */
export interface Arguments {
  by: Thing[]
  named: Record<string, Thing>
}

/** An argument by place or name. */
export const argument = ({ by, named }: Arguments, i: number, name: string, otherwise: Thing = null): Thing =>
  by[i] ?? named[name] ?? otherwise

/** A value as a tensor. */
export function tensor(thing: Thing | undefined): tf.Tensor {
  if (thing instanceof tf.Tensor) return thing
  if (thing instanceof Slot && thing.value) return thing.value
  if (typeof thing === 'number') return tf.scalar(thing)
  throw new Error('expected a tensor')
}

/** Numbers, or one number as so many. */
export function numbers(thing: Thing | undefined, count = 1): number[] {
  if (Array.isArray(thing)) return thing.map(Number)
  return Array.from({ length: count }, () => Number(thing))
}

/** Fixed values as a distribution. */
export function fixed(values: ArrayLike<number>): Distribution {
  const found = Float32Array.from(values)
  const isConstant = found.every((value) => value === found[0])
  return isConstant ? { kind: 'constant', value: found[0] ?? 0 } : { kind: 'fixed', values: found }
}
