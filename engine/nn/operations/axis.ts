import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'

/** The number of an axis of x, counted from 0. Throws MixlabError `option` in the name of `what` where there is no such axis. */
export function axisOf(what: string, { shape, rank }: tf.Tensor, axis: number): number {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis
  throw new MixlabError('option', what, `axis ${axis} of [${shape}], expected ${-rank} to ${rank - 1}`)
}

/** `size` values along `axis` from `begin` on. */
export function sliceOf(x: tf.Tensor, axis: number, begin: number, size: number): tf.Tensor {
  return tf.slice(
    x,
    x.shape.map((_, i) => (i === axis ? begin : 0)),
    x.shape.with(axis, size),
  )
}
