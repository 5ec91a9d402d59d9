// Made by `npm run kernels` from index.ts.
import { attention, attentionGrad } from './attention'
import { binary } from './binary'
import { conv2d, conv2dGradFilter, conv2dGradInput } from './conv/conv'
import { depthwise, depthwiseGradFilter } from './conv/convDepthwise'
import { averagePool, maximumPool, maximumPoolGrad } from './conv/convPool'
import { winograd, winogradFilter } from './conv/winograd'
import { winogradGradFilter } from './conv/winogradGradFilter'
import { copy, fill, toFloat } from './copy'
import { crossEntropy, crossEntropyGrad, labelRank } from './crossEntropy'
import { gather, segmentSum, oneHot } from './gather'
import { gelu, geluGrad, geluSlope } from './gelu'
import { layerNorm, layerNormGrad, layerNormSums } from './layerNorm'
import { batchMatmul, matmulPart } from './matmul/matmul'
import { matmulPacked, packMatrix } from './matmul/matmulPacked'
import { maximumColumns, sumColumns } from './reduce'
import { select } from './select'
import { softmax } from './softmax'
import { transpose } from './transpose'
import { logarithm, unary } from './unary'
import { f, i } from './operands'

/** By the number of a kernel in CALLS of binary.ts: calls it with the operands that come next. */
export const KERNELS: StaticArray<() => void> = [
  () => attention(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => attentionGrad(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => binary(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => conv2d(i(), i(), i(), i(), i(), i(), i()),
  () => conv2dGradFilter(i(), i(), i(), i(), i(), i(), i(), i()),
  () => conv2dGradInput(i(), i(), i(), i(), i(), i(), i()),
  () => depthwise(i(), i(), i(), i(), i(), i(), i()),
  () => depthwiseGradFilter(i(), i(), i(), i(), i(), i(), i()),
  () => averagePool(i(), i(), i(), i(), i(), i(), i()),
  () => maximumPool(i(), i(), i(), i(), i(), i(), i()),
  () => maximumPoolGrad(i(), i(), i(), i(), i(), i(), i()),
  () => winograd(i(), i(), i(), i(), i(), i(), i()),
  () => winogradFilter(i(), i(), i(), i(), i()),
  () => winogradGradFilter(i(), i(), i(), i(), i(), i(), i(), i()),
  () => copy(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => fill(i(), i(), i()),
  () => toFloat(i(), i(), i()),
  () => crossEntropy(i(), i(), i(), i(), i(), i()),
  () => crossEntropyGrad(i(), i(), i(), i(), i(), i(), i()),
  () => labelRank(i(), i(), i(), i(), i()),
  () => gather(i(), i(), i(), i(), i(), i(), i()),
  () => segmentSum(i(), i(), i(), i(), i(), i()),
  () => oneHot(i(), i(), i(), i(), i(), i()),
  () => gelu(i(), i(), i()),
  () => geluGrad(i(), i(), i(), i()),
  () => geluSlope(i(), i(), i(), i()),
  () => layerNorm(i(), i(), i(), i(), i(), i(), i(), i(), f()),
  () => layerNormGrad(i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => layerNormSums(i(), i(), i(), i(), i(), i(), i(), i()),
  () => batchMatmul(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => matmulPart(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => matmulPacked(i(), i(), i(), i(), i(), i(), i()),
  () => packMatrix(i(), i(), i(), i(), i()),
  () => maximumColumns(i(), i(), i(), i(), i(), i()),
  () => sumColumns(i(), i(), i(), i(), i(), i(), <f32>f()),
  () => select(i(), i(), i(), i(), i()),
  () => softmax(i(), i(), i(), i()),
  () => transpose(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => logarithm(i(), i(), i()),
  () => unary(i(), i(), i(), i()),
]
