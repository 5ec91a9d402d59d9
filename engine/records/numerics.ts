/**
 * Raised whenever a change of the engine changes the numbers of a run. 4: validation examples are kept from training and
 * choose the weights, and the tests are evaluated once, with these; what a function of a cell
 * captured is part of what a run is.
 */
export const NUMERICS = 4
