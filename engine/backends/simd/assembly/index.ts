// The kernels of the `simd` backend. Addresses are bytes in the imported memory, sizes count elements.
export { binary } from './binary'
export { copy, fill, toFloat } from './copy'
export * from './gather'
export { batchMatmul, matmulRows, matmulScratch } from './matmul'
export { serve, stopPool } from './pool'
export { batchMatmulParts } from './productParts'
export { maximum, sum } from './reduce'
export { geluGradParts, geluParts, normalizeGradParts, normalizeParts } from './rowParts'
export { softmax } from './softmax'
export { transpose } from './transpose'
export { logarithm, unary } from './unary'

/** The first address behind the constants of this module. */
export function heapBase(): usize {
  return __heap_base
}
