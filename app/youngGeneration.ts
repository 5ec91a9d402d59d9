/**
 * The switch of Node for a process that trains: V8 would let the space for new objects grow to 48 MB, which a program,
 * whose tensors are in WebAssembly, does not need.
 */
export const SMALL_YOUNG_GENERATION = '--max-semi-space-size=2' // MB
