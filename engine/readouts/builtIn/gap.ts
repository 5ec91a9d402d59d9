import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'
import { checkExamples, EXAMPLES, type Measurable, measurable, valueIn } from './measured.ts'

/**
 * How much worse a metric, or the loss, is on validation examples than on training examples: `readout/accuracy_gap`. As
 * many of each, 1,000 by default, or all that there are. Throws MixlabError `option`.
 */
export function gap(of: Measurable = 'accuracy', { examples = EXAMPLES } = {}): Readout {
  const { name, meaning } = measurable(of, 'readouts.gap')
  checkExamples(examples, 'readouts.gap')
  const { better, unit, words } = meaning
  return builtIn(
    `${name}_gap`,
    { better: 'lower', unit, words: `gap of ${words ?? name} to validation` },
    async ({ measure }) => {
      const learned = valueIn(await measure('train', examples), name)
      const held = valueIn(await measure('validation', examples), name)
      return better === 'lower' ? held - learned : learned - held
    },
    { examples },
  )
}
