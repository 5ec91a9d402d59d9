import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'

export { add, concat, max, mean, mul, relu, reshape, sub, tanh, transpose, zerosLike } from '@tensorflow/tfjs-core'
export { gelu } from './layers/gelu.ts'

type Parts<Count extends number> = Count extends 2
  ? [tf.Tensor, tf.Tensor]
  : Count extends 3
    ? [tf.Tensor, tf.Tensor, tf.Tensor]
    : tf.Tensor[]

/** Equal parts along the channel axis: `[..., dim]` to `parts` times `[..., dim / parts]`. */
export function split<Count extends number>(x: tf.Tensor, parts: Count): Parts<Count> {
  const dim = x.shape.at(-1) ?? 1
  if (dim % parts) throw new MixlabError('option', 'split', `${dim} channels do not split into ${parts} equal parts`)
  if (parts === 1) return [x] as tf.Tensor[] as Parts<Count> // of one part tfjs has no gradient
  return tf.split(x, parts, -1) as Parts<Count>
}

// Those below are no exports of tfjs themselves: a function that a cell captures enters keys by the module that it is from.

/** |x|, value by value. */
export const abs = (x: tf.Tensor): tf.Tensor => tf.abs(x)
/** The cosine, of radians, value by value. */
export const cos = (x: tf.Tensor): tf.Tensor => tf.cos(x)
/** e^x, value by value. */
export const exp = (x: tf.Tensor): tf.Tensor => tf.exp(x)
/** The sine, of radians, value by value. */
export const sin = (x: tf.Tensor): tf.Tensor => tf.sin(x)
/** log(1 + e^x), value by value. */
export const softplus = (x: tf.Tensor): tf.Tensor => tf.softplus(x)
/** 1 / (1 + e^-x), value by value. */
export const sigmoid = (x: tf.Tensor): tf.Tensor => tf.sigmoid(x)
/** The square root, value by value. */
export const sqrt = (x: tf.Tensor): tf.Tensor => tf.sqrt(x)
/** x^2, value by value. */
export const square = (x: tf.Tensor): tf.Tensor => tf.square(x)
/** a / b, value by value, broadcast. */
export const div = (a: tf.Tensor | number, b: tf.Tensor | number): tf.Tensor => tf.div(a, b)
/** The sum over some axes, all by default, which are kept with length 1 where `keepDims` is true. */
export const sum = (x: tf.Tensor, axis?: number | number[], keepDims = false): tf.Tensor => tf.sum(x, axis, keepDims)
