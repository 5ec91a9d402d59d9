import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import type { MixingWeights, Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/**
 * The share of weights among those that mix tokens that are smaller than a `below`th of the largest of their matrix, in
 * absolute value: `readout/mixing_sparsity`. 0.01 by default. Throws MixlabError `option`.
 */
export function mixingSparsity({ below = 0.01 } = {}): Readout {
  if (!(below > 0 && below < 1)) {
    throw new MixlabError('option', 'readouts.mixingSparsity.below', `${below}, expected a number between 0 and 1`)
  }
  return builtIn(
    'mixing_sparsity',
    { unit: 'share', bounds: [0, 1], words: 'sparsity of token mixing' },
    ({ mixing }) => {
      checkMixing(mixing)
      const small = mixing.map(({ matrix }) => {
        const size = tf.abs(matrix)
        return tf.sum(tf.cast(tf.less(size, tf.mul(tf.max(size), below)), 'float32'))
      })
      return tf.div(
        tf.addN(small),
        mixing.reduce((sum, { matrix }) => sum + matrix.size, 0),
      )
    },
    { below },
  )
}

/** Throws MixlabError `option` where no weights mix tokens. */
export function checkMixing(mixing: readonly MixingWeights[]): void {
  if (mixing.length === 0) throw new MixlabError('option', 'mixing', 'the model has no weights that mix tokens')
}
