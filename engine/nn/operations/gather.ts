import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { axisOf } from './axis.ts'

/**
 * The values at `indices` along `axis`, the tokens by default, the same for all examples: `[batch, tokens, dim]` and a list
 * of n indices to `[batch, n, dim]` (`torch.index_select`). An int32 tensor of indices may have any shape, which then
 * stands in place of the axis. Throws MixlabError `option` for an index of a list that is out of range.
 */
export function gather(x: tf.Tensor, indices: number[] | tf.Tensor, axis = 1): tf.Tensor {
  const at = axisOf('gather', x, axis)
  if (!Array.isArray(indices)) return tf.gather(x, indices, at)
  const length = x.shape[at] as number
  const wrong = indices.find((index) => index < 0 || index >= length)
  if (wrong === undefined) return tf.gather(x, tf.tensor1d(indices, 'int32'), at)
  throw new MixlabError(
    'option',
    'gather',
    `index ${wrong} along axis ${at} of [${x.shape}], expected 0 to ${length - 1}`,
  )
}
