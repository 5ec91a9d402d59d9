import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/** The most bytes alive at once in a forward and backward pass of one example, without parameters: `readout/memory`. */
export function memory(): Readout {
  const words = 'memory of a training step'
  return builtIn('memory', { better: 'lower', unit: 'bytes', bounds: [0, Infinity], words }, async ({ cost }) => {
    return (await cost()).trainingBytes
  })
}
