import type { Readout, ReadoutOptions } from '../readout.ts'
import { builtIn } from './builtIn.ts'

/** A built-in read-out of a run beside those of the other variants with the same seed. */
export function together(
  name: string,
  meaning: ReadoutOptions,
  compute: NonNullable<Readout['together']>,
  options: object = {},
): Readout {
  return { ...builtIn(name, meaning, () => Number.NaN, options), together: compute }
}
