import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, kaimingNormal } from '../initialisers.ts'
import { convolve, type Pair, samePads, seenBy } from '../operations/convolve.ts'
import { parameter, scope } from '../scope.ts'
import { channelsOf, withBias } from './conv2d.ts'

export interface Conv1dOptions {
  name?: string
  /** Tokens that it sees; 3 by default. */
  kernel?: number
  stride?: number
  dilation?: number
  /** Parts of the channels; as many as channels for one kernel per channel. */
  groups?: number
  /** `same` sees tokens on either side, `causal` the token and those before it, `valid` no zeros. */
  padding?: 'same' | 'causal' | 'valid'
  weight?: Initialiser
  bias?: Initialiser | false
}

/**
 * Convolution along the tokens: `[batch, tokens, in]` to `[batch, tokens / stride, units]`. Throws MixlabError `option` for
 * channels that do not divide into the groups, for a stride with a dilation, and for fewer tokens than a kernel without
 * padding sees.
 */
export function conv1d(x: tf.Tensor, units: number, options: Conv1dOptions = {}): tf.Tensor {
  const { name, kernel = 3, stride = 1, dilation = 1, groups = 1, padding = 'same' } = options
  const { weight = kaimingNormal, bias = false } = options
  return scope('conv', name, () => {
    const inputs = channelsOf('conv1d', x, units, groups)
    const filter = parameter('weight', [1, kernel, inputs, units], weight, {
      layout: { view: [1, kernel, inputs, units], order: [3, 2, 0, 1], shape: [units, inputs, kernel] },
      fans: { in: kernel * inputs, out: (kernel * units) / groups },
    })
    const [batch, tokens, dim] = x.shape as [number, number, number]
    const seen = seenBy(kernel, dilation)
    if (padding === 'valid' && seen > tokens) {
      throw new MixlabError('option', 'conv1d', `${tokens} tokens, expected at least the ${seen} that its kernel sees`)
    }
    const along: Pair = { same: samePads(seen), causal: [seen - 1, 0] as Pair, valid: [0, 0] as Pair }[padding]
    const pads: [Pair, Pair] = [[0, 0], along]
    const row = tf.reshape(x, [batch, 1, tokens, dim])
    const y = convolve('conv1d', row, filter, { stride: [1, stride], dilation: [1, dilation], pads })
    return tf.reshape(withBias(y, bias), [batch, -1, units])
  })
}
