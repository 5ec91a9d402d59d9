import * as tf from '@tensorflow/tfjs-core'
import { withoutChance } from '../chance.ts'
import { MixlabError } from '../errors.ts'
import type { MetricMeaning } from '../records/meaning.ts'
import type { LossBatch, OwnLoss, Task } from './types.ts'

/** What a loss of a cell means: nobody knows its unit, and it may be negative. */
const OWN_LOSS: MetricMeaning = { better: 'lower', words: 'loss' }

/** What to do in place of draws of a loss. */
const NO_DRAWS = "draw in a block or a head, with random from 'mixlab'"

/** The loss of a task by the function of a cell. Throws MixlabError `option` where that does not give one number. */
export function lossBy(run: OwnLoss, task: string): Pick<Task, 'loss' | 'lossMeaning'> {
  return {
    lossMeaning: OWN_LOSS,
    loss: (prediction, batch) => {
      const value: unknown = withoutChance(
        () => run(prediction, batch.target as tf.Tensor, batch as LossBatch),
        NO_DRAWS,
      )
      if (value instanceof tf.Tensor && value.size === 1 && value.dtype === 'float32') return tf.reshape(value, [])
      throw new MixlabError(
        'option',
        `loss of '${task}'`,
        `${given(value)}, expected one number${typeof value === 'number' ? ', as a tensor' : ''}`,
      )
    },
  }
}

function given(value: unknown): string {
  if (value === undefined || value === null) return 'returned nothing'
  if (!(value instanceof tf.Tensor)) {
    return `returned a ${typeof value === 'object' && 'then' in value ? 'promise' : `value of type ${typeof value}`}`
  }
  return value.size === 1 ? value.dtype : `[${value.shape.join(', ')}]`
}
