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
 * number or broadcasts to b; with one value for all tokens it is a decay that stays. Tokens are joined in pairs, pairs of
 * pairs and so on (Blelloch 1990), so that it takes 2 log2(tokens) steps and no more work than a loop, forward and backward.
 * Throws MixlabError `option` where `a` does not broadcast to b.
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
      const value = solved(a, b, axis, reverse)
      return { value, saved: [a, value] }
    },
    (dy, [a, h]) => {
      const next = a.shape[axis] === 1 ? a : previous(a, axis, !reverse)
      const db = solved(next, dy, axis, !reverse)
      return [unbroadcast(tf.mul(db, previous(h, axis, reverse)), a.shape), db]
    },
  )

/** What each place gets of the one before it, 0 at the start. */
function previous(x: tf.Tensor, axis: number, reverse: boolean): tf.Tensor {
  const rest = (x.shape[axis] as number) - 1
  return rest === 0 ? tf.zerosLike(x) : padded(sliceOf(x, axis, reverse ? 1 : 0, rest), axis, !reverse)
}

/** With one more place of zeros, at the start or at the end. */
function padded(x: tf.Tensor, axis: number, atStart: boolean): tf.Tensor {
  return tf.pad(
    x,
    x.shape.map((_, i): [number, number] => (i !== axis ? [0, 0] : atStart ? [1, 0] : [0, 1])),
  )
}

/**
 * By pairs: (a1, b1) and then (a2, b2) is (a2 a1, a2 b1 + b2). The recurrence of the pairs, half as long, has the results of
 * all second places, and from those before them follow the first ones.
 */
function solved(a: tf.Tensor, b: tf.Tensor, axis: number, reverse: boolean): tf.Tensor {
  const length = b.shape[axis] as number
  if (length === 1) return b
  const stays = a.shape[axis] === 1
  if (length % 2) {
    const [whole, begin] = [(x: tf.Tensor) => padded(x, axis, reverse), reverse ? 1 : 0]
    return sliceOf(solved(stays ? a : whole(a), whole(b), axis, reverse), axis, begin, length)
  }
  const half = b.shape.with(axis, length / 2)
  const place = (x: tf.Tensor, second: boolean) => {
    const pairs = tf.reshape(x, x.shape.toSpliced(axis, 1, length / 2, 2))
    return tf.reshape(sliceOf(pairs, axis + 1, Number(second !== reverse), 1), x.shape.with(axis, length / 2))
  }
  const [a1, a2] = stays ? [a, a] : [place(a, false), place(a, true)]
  const [b1, b2] = [place(b, false), place(b, true)]
  const seconds = solved(tf.mul(a2, a1), tf.add(tf.mul(a2, b1), b2), axis, reverse)
  const firsts = tf.add(tf.mul(a1, previous(seconds, axis, reverse)), b1)
  const both = (reverse ? [seconds, firsts] : [firsts, seconds]).map((x) =>
    tf.reshape(x, half.toSpliced(axis + 1, 0, 1)),
  )
  return tf.reshape(tf.concat(both, axis + 1), b.shape)
}
