import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { currentPass, drawn, scope } from '../scope.ts'

/** Rates of dropout by the place in a model, under the names of the papers. */
export interface DropoutRates {
  /** What a branch ends with, before the residual. */
  hidden: number
  /** Behind the activation of an MLP. */
  activation: number
  /** The weights of attention. */
  attention: number
  /** What goes into the last dense layer. */
  head: number
  /** What goes into the first block. */
  embedding: number
}

/**
 * While training, each value is 0 with probability `rate` and divided by 1 - rate otherwise (Srivastava et al. 2014). Any
 * shape whose first axis is the batch. The draws depend only on seed, step and place.
 */
export function dropout(x: tf.Tensor, rate = 0): tf.Tensor {
  if (rate === 0) return x
  return scope('dropout', undefined, (path) => {
    if (!(rate > 0 && rate < 1)) throw new MixlabError('option', path, `rate ${rate}, expected 0 to less than 1`)
    const { training, seed } = currentPass(path)
    if (!training) return x
    const mask = drawn(x.shape, { kind: 'bernoulli', rate, key: (step) => keyOf(seed, `dropout/${step}/${path}`) })
    return tf.mul(x, mask)
  })
}
