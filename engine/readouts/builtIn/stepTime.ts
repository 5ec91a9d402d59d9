import type { Readout } from '../readout.ts'
import { together } from './together.ts'

/** The median time of a training step, measured afterwards, the variants in turns: `readout/step_time`. */
export function stepTime(): Readout {
  const words = 'time of a step, in turns'
  return together('step_time', { better: 'lower', unit: 'ms', bounds: [0, Infinity], words }, ({ stepMs }) => stepMs())
}
