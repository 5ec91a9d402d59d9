import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { differentiable } from '../differentiable.ts'
import { axisOf, sliceOf } from './axis.ts'
import { asTensor, unbroadcast } from './broadcast.ts'

export interface ScanOptions {
  /** The axis along which it goes; 1 by default, the tokens. */
  axis?: number
  /** From the last token to the first: h_t = a_t h_{t+1} + b_t. */
  reverse?: boolean
}

/**
 * The linear recurrence h_t = a_t h_{t-1} + b_t along the tokens, from 0: `[batch, tokens, dim]` in the shape of b. `a` is a
 * number or broadcasts to b; with one value for all tokens it is a decay that stays. All tokens are done at once in
 * log2(tokens) steps (Hillis and Steele 1986), forward and backward. Throws MixlabError `option` where `a` does not
 * broadcast to b.
 */
export function scan(a: tf.Tensor | number, b: tf.Tensor, options: ScanOptions = {}): tf.Tensor {
  const { axis = 1, reverse = false } = options
  const at = axisOf('scan', b, axis)
  const factor = asTensor(a)
  const shape = [...Array<number>(Math.max(0, b.rank - factor.rank)).fill(1), ...factor.shape]
  if (shape.length > b.rank || shape.some((length, i) => length !== 1 && length !== b.shape[i])) {
    throw new MixlabError('option', 'scan', `a [${factor.shape}] does not broadcast to b [${b.shape}]`)
  }
  return recurrence(at, reverse)(tf.reshape(factor, shape), b)
}

/** The product of all values up to each one along an axis, 1 by default, the tokens. Right at zeros, too. */
export function cumprod(x: tf.Tensor, axis = 1): tf.Tensor {
  const at = axisOf('cumprod', x, axis)
  const first = sliceOf(x, at, 0, 1)
  const rest = x.shape.map((length, i): [number, number] => [0, i === at ? length - 1 : 0])
  return recurrence(at, false)(x, tf.pad(first, rest))
}

/** The gradient g of the recurrence is one itself, the other way: g_t = dy_t + a_{t+1} g_{t+1}. */
const recurrence = (axis: number, reverse: boolean) =>
  differentiable(
    (a: tf.Tensor, b: tf.Tensor) => {
      const value = doubled(a, b, axis, reverse)
      return { value, saved: [a, value] }
    },
    (dy, [a, h]) => {
      const next = a.shape[axis] === 1 ? a : previous(a, axis, !reverse)
      const db = doubled(next, dy, axis, !reverse)
      return [unbroadcast(tf.mul(db, previous(h, axis, reverse)), a.shape), db]
    },
  )

/** What each place gets of the one before it, 0 at the start. */
function previous(x: tf.Tensor, axis: number, reverse: boolean): tf.Tensor {
  const rest = (x.shape[axis] as number) - 1
  if (rest === 0) return tf.zerosLike(x)
  const paddings = x.shape.map((_, i): [number, number] => (i !== axis ? [0, 0] : reverse ? [0, 1] : [1, 0]))
  return tf.pad(sliceOf(x, axis, reverse ? 1 : 0, rest), paddings)
}

/** Each step joins what goes over `step` places with as many before: (a, b) after (a', b') is (a a', a b' + b). */
function doubled(a: tf.Tensor, b: tf.Tensor, axis: number, reverse: boolean): tf.Tensor {
  const length = b.shape[axis] as number
  let [factor, sum] = [a, b]
  for (let step = 1; step < length; step *= 2) {
    const rest = length - step
    const later = (x: tf.Tensor) => sliceOf(x, axis, reverse ? 0 : step, rest)
    const earlier = (x: tf.Tensor) => sliceOf(x, axis, reverse ? step : 0, rest)
    const joined = (x: tf.Tensor, moved: tf.Tensor) => {
      const kept = sliceOf(x, axis, reverse ? rest : 0, step)
      return tf.concat(reverse ? [moved, kept] : [kept, moved], axis)
    }
    const stays = factor.shape[axis] === 1
    const over = stays ? factor : later(factor)
    const next = joined(sum, tf.add(later(sum), tf.mul(over, earlier(sum))))
    if (2 * step < length) factor = stays ? tf.square(factor) : joined(factor, tf.mul(over, earlier(factor)))
    sum = next
  }
  return sum
}
