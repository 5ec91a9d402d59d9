import { type Readout, type ReadoutFunction, type ReadoutOptions, readout } from '../readout.ts'

/**
 * A read-out of the engine. The store knows it by its name, its options and a number, which is raised whenever its values
 * change, so that they are computed anew.
 */
export function builtIn(
  name: string,
  meaning: ReadoutOptions,
  compute: ReadoutFunction,
  options: object = {},
  numerics = 1,
): Readout {
  return { ...readout(name, meaning, compute), decides: { builtIn: name, numerics, ...options } }
}
