import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../../errors.ts'
import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/** Examples whose loss is differentiated. */
const EXAMPLES = 128

/**
 * The norm of the gradient of a layer, of the weights whose names begin with its place, e.g. `blocks.0`, or of all weights:
 * `readout/gradient_norm_blocks_0`. The gradient is that of the mean loss of 128 fixed training examples, in evaluation mode.
 * Throws MixlabError `option`.
 */
export function gradientNorm(layer = ''): Readout {
  if (typeof layer !== 'string') {
    throw new MixlabError('option', 'readouts.gradientNorm', `${typeof layer}, expected a place, e.g. 'blocks.0'`)
  }
  const place = layer.replaceAll(/\W/g, '_')
  const words = `gradient norm${layer && ` of ${layer}`}`
  return builtIn(
    `gradient_norm${place && `_${place}`}`,
    { bounds: [0, Infinity], words },
    async ({ model, data }) => {
      for await (const batch of data.train(EXAMPLES)) {
        const gradients = model.gradients(batch)
        const own = Object.entries(gradients).filter(([name]) => !layer || `${name}.`.startsWith(`${layer}.`))
        if (own.length === 0) throw unknownLayer(layer, Object.keys(gradients))
        return tf.tidy(() => tf.sqrt(tf.addN(own.map(([, gradient]) => tf.sum(tf.square(gradient))))))
      }
      return Number.NaN // of no examples
    },
    { layer },
  )
}

function unknownLayer(layer: string, names: string[]): MixlabError {
  const layers = [...new Set(names.map((name) => name.split('.').slice(0, 2).join('.')))]
  return new MixlabError('option', 'layer', `no weights at '${layer}'${suggest(layer, layers)}`)
}
