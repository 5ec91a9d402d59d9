/** Raised whenever a change of the engine changes the numbers of a run. */
export const NUMERICS = 4
