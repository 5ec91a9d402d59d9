// The kernels of the `simd` backend. Addresses are bytes in the imported memory, sizes count elements.
export { binary } from './binary'
export { copy, fill, toFloat } from './copy'
export * from './gather'
export { gelu, geluGrad } from './gelu'
export { batchMatmul, matmulRows, matmulScratch } from './matmul'
export { normalize, normalizeGrad } from './normalize'
export { batchMatmulParts, serve, stopPool } from './pool'
export { maximum, sum } from './reduce'
export { softmax } from './softmax'
export { transpose } from './transpose'
export { logarithm, unary } from './unary'

/** The first address behind the constants of this module. */
export function heapBase(): usize {
  return __heap_base
}
