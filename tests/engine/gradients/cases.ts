import * as tf from '@tensorflow/tfjs'
import type { Argument } from '../../../engine/gradients/differences.ts'
import { integer, keyOf } from '../../../engine/random.ts'

/** An operation on tensors of some shapes, whose gradient is to be right. */
export interface Case {
  inputs: Argument[]
  run(...inputs: tf.Tensor[]): tf.Tensor | tf.Tensor[]
}

/** Lists of numbers, such as shapes and paddings: '2,3 - 4' are [2, 3], [] and [4]. */
export const lists = <Lists = number[][]>(text: string): Lists =>
  text.split(' ').map((list) => (list === '-' ? [] : list.split(',').map(Number))) as Lists

/** By name, as the tables call them. */
export const ops = tf

const sizeOf = (shape: number[]) => tf.util.sizeFromShape(shape)
const key = keyOf(1, 'cases')
let drawn = 0

/** Whole numbers from 0 to `below` - 1. */
function integers(size: number, below: number): Int32Array {
  return Int32Array.from({ length: size }, () => integer(key, drawn++, below))
}

function permutation(size: number): number[] {
  const order: number[] = []
  for (let i = 0; i < size; i++) order.splice(integer(key, drawn++, i + 1), 0, i)
  return order
}

/** Distinct values from about -2 to 2, a good step from one another and from 0, and from all other values of `apart`. */
export function apart(...shapes: number[][]): Argument[] {
  const total = shapes.reduce((sum, shape) => sum + sizeOf(shape), 0)
  const order = permutation(total)
  const half = Math.ceil(total / 2)
  const gap = Math.max(0.14, 2 / half)
  const values = order.map((at) => (at < half ? -(at + 0.35) : at - half + 0.6) * gap)
  return shapes.map((shape) => ({
    values: Float32Array.from(values.splice(0, sizeOf(shape))),
    shape,
    dtype: 'float32',
  }))
}

/** Distinct values between two bounds. */
export function between(low: number, high: number, ...shapes: number[][]): Argument[] {
  return apart(...shapes).map((argument) => {
    const size = argument.values.length
    const order = permutation(size)
    const values = Float32Array.from(order, (at) => low + ((at + 0.5) / size) * (high - low))
    return { ...argument, values }
  })
}

/** Whole numbers from 0 to `below` - 1, or the given ones. */
export function whole(shape: number[], below: number | number[]): Argument {
  const values = Array.isArray(below) ? Int32Array.from(below) : integers(sizeOf(shape), below)
  return { values, shape, dtype: 'int32' }
}

export function truths(shape: number[]): Argument {
  return { values: Uint8Array.from(whole(shape, 2).values as Int32Array), shape, dtype: 'bool' }
}

export const of = (inputs: Argument[], run: Case['run']): Case => ({ inputs, run })
