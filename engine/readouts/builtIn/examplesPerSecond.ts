import type { Readout } from '../readout.ts'
import { together } from './together.ts'

/** Training examples a second by the median time of a step, the variants in turns: `readout/examples_per_second`. */
export function examplesPerSecond(): Readout {
  const meaning = { unit: 'examples/s', words: 'training examples a second, in turns' }
  return together(
    'examples_per_second',
    { ...meaning, better: 'higher', bounds: [0, Infinity] },
    async ({ batch, stepMs }) => (1000 * batch) / (await stepMs()),
  )
}
