import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'
import { checkExamples, EXAMPLES, type Measurable, measurable, valueIn } from './measured.ts'

/**
 * A metric of the task, or its loss, on a fixed part of the training examples, as they are: `readout/train_accuracy`.
 * 1,000 examples by default. Throws MixlabError `option`.
 */
export function train(of: Measurable = 'accuracy', { examples = EXAMPLES } = {}): Readout {
  const { name, meaning } = measurable(of, 'readouts.train')
  checkExamples(examples, 'readouts.train')
  const words = `${meaning.words ?? name} on training examples`
  return builtIn(
    `train_${name}`,
    { ...meaning, words },
    async ({ measure }) => valueIn(await measure('train', examples), name),
    { examples },
  )
}
