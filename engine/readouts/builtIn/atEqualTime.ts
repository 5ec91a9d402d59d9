import type { Readout } from '../readout.ts'
import { type Measurable, measurable } from './measured.ts'
import { together } from './together.ts'

/**
 * A metric on validation examples when every variant has trained for the same time, that of the fastest to end: steps times
 * the median time of a step, measured afterwards, the variants in turns: `readout/accuracy_at_equal_time`. It is the value
 * of the last evaluation until then. Throws MixlabError `option`.
 */
export function atEqualTime(of: Measurable = 'accuracy'): Readout {
  const { name, meaning } = measurable(of, 'readouts.atEqualTime')
  const words = `${meaning.words ?? name} at equal time`
  return together(`${name}_at_equal_time`, { ...meaning, words }, async (own, all) => {
    const times = await Promise.all(all.map(async ({ steps, stepMs }) => steps * (await stepMs())))
    return own.valueAt(`validation/${name}`, stepsWithin(Math.min(...times), await own.stepMs()))
  })
}

/** Whole steps of a cost within a budget, which may be a product with that cost. */
export function stepsWithin(budget: number, cost: number): number {
  return Math.floor(budget / cost + 1e-9)
}
