import { MixlabError } from '../../errors.ts'
import type { Readout, RunAmongOthers } from '../readout.ts'
import { stepsWithin } from './atEqualTime.ts'
import { type Measurable, measurable } from './measured.ts'
import { together } from './together.ts'

/**
 * A metric on validation examples when every variant has trained for as many multiply-adds as the cheapest has in all:
 * `readout/accuracy_at_equal_macs`. It is the value of the last evaluation until then. Throws MixlabError `option`.
 */
export function atEqualMultiplyAdds(of: Measurable = 'accuracy'): Readout {
  const { name, meaning } = measurable(of, 'readouts.atEqualMultiplyAdds')
  const words = `${meaning.words ?? name} at equal multiply-adds`
  return together(`${name}_at_equal_macs`, { ...meaning, words }, async (own, all) => {
    const budget = Math.min(...all.map((run) => run.steps * costOfStep(run)))
    return own.valueAt(`validation/${name}`, stepsWithin(budget, costOfStep(own)))
  })
}

/** Multiply-adds of the forward passes of a step; a backward pass takes twice as many of all. */
function costOfStep({ batch, macs }: RunAmongOthers): number {
  if (macs) return batch * macs
  throw new MixlabError('option', 'multiply-adds', 'could not be counted for all variants')
}
