import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/** Trained values of the model: `readout/parameters`. */
export function parameters(): Readout {
  const words = 'trained parameters'
  return builtIn('parameters', { better: 'lower', unit: 'values', bounds: [0, Infinity], words }, async ({ cost }) => {
    return (await cost()).parameters
  })
}
