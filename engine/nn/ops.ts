import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'

export {
  abs,
  add,
  concat,
  div,
  exp,
  max,
  mean,
  mul,
  relu,
  reshape,
  sigmoid,
  sqrt,
  square,
  sub,
  sum,
  tanh,
  transpose,
  zerosLike,
} from '@tensorflow/tfjs-core'
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
  return tf.split(x, parts, -1) as Parts<Count>
}
