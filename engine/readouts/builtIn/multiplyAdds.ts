import type { Readout } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/** Multiply-adds of a forward pass of one example: `readout/multiply_adds`. */
export function multiplyAdds(): Readout {
  return builtIn('multiply_adds', { better: 'lower', unit: 'macs', bounds: [0, Infinity] }, async ({ cost }) => {
    return (await cost()).macs
  })
}
