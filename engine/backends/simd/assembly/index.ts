// The kernels of the `simd` backend. Addresses are bytes in the imported memory, sizes count elements.
export { attention, attentionGrad, attentionGradScratch, attentionScratch } from './attention'
export { binary } from './binary'
export { runCalls, runCallsInRooms } from './calls'
export { conv2d, conv2dGradFilter, conv2dGradInput } from './conv/conv'
export { depthwise, depthwiseGradFilter, depthwiseScratch } from './conv/convDepthwise'
export { averagePool, maximumPool, maximumPoolGrad } from './conv/convPool'
export { winograd, winogradFilter, winogradScratch } from './conv/winograd'
export { winogradGradFilter, winogradGradScratch } from './conv/winogradGradFilter'
export { copy, fill, toFloat } from './copy'
export { crossEntropy, crossEntropyGrad, labelRank } from './crossEntropy'
export * from './gather'
export { gelu, geluGrad, geluSlope } from './gelu'
export { layerNorm, layerNormGrad, layerNormSums } from './layerNorm'
export { batchMatmul, matmulPart, matmulScratch } from './matmul/matmul'
export { matmulPacked, packedBytes, packedScratch, packMatrix } from './matmul/matmulPacked'
export { fmaPeak } from './peak'
export { serve, stopPool } from './pool'
export { arenaReserve, runEach, runStage } from './program'
export { maximumColumns, sumColumns } from './reduce'
export { select } from './select'
export { softmax } from './softmax'
export { tableParts } from './tableParts'
export { transpose } from './transpose'
export { logarithm, unary } from './unary'

/** The first address behind the constants of this module. */
export function heapBase(): usize {
  return __heap_base
}
