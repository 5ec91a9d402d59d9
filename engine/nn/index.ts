// The block language: what a block, built in or in a cell, is written with.

export { type BlockWith, block } from './block.ts'
export { head, stem } from './ends.ts'
export { usualFrames } from './frame.ts'
export {
  constant,
  type Initialiser,
  kaimingNormal,
  lecunNormal,
  nearZero,
  normal,
  ones,
  sinusoid,
  torchDefault,
  uniform,
  xavierUniform,
  zeros,
} from './initialisers.ts'
export { type Activation, activate, hardSwish, silu } from './layers/activation.ts'
export { affine, layerScale } from './layers/affine.ts'
export {
  attend,
  joinHeads,
  type SelfAttentionOptions,
  selfAttention,
  splitHeads,
  type TinyAttentionOptions,
  tinyAttention,
} from './layers/attention.ts'
export { type BatchNormOptions, batchNorm } from './layers/batchNorm.ts'
export { type Conv1dOptions, conv1d } from './layers/conv1d.ts'
export { type Conv2dOptions, conv2d } from './layers/conv2d.ts'
export { type DenseOptions, dense } from './layers/dense.ts'
export { type DepthwiseConv2dOptions, depthwiseConv2d } from './layers/depthwiseConv2d.ts'
export { type DropoutRates, dropout } from './layers/dropout.ts'
export { type EmbeddingOptions, embedding, tiedLogits } from './layers/embedding.ts'
export {
  type ExternalAttentionOptions,
  externalAttention,
  multiHeadExternalAttention,
} from './layers/externalAttention.ts'
export { type LayerNormOptions, layerNorm } from './layers/layerNorm.ts'
export { type MlpOptions, mlp } from './layers/mlp.ts'
export { type Patch, type PatchEmbedOptions, patchEmbed, sidesOf } from './layers/patchEmbed.ts'
export { type PatchMergeOptions, patchMerge } from './layers/patchMerge.ts'
export { type NormalOptions, random, type UniformOptions } from './layers/random.ts'
export { type RelativePositionOptions, relativePositionBias } from './layers/relativePosition.ts'
export { residual } from './layers/residual.ts'
export { type RmsNormOptions, rmsNorm } from './layers/rmsNorm.ts'
export { type Gate, type SpatialGatingOptions, spatialGating } from './layers/spatialGating.ts'
export { type TokenDenseOptions, tokenDense } from './layers/tokenDense.ts'
export { addPositions, firstRows, firstToken, meanToken, prependToken, resizedPositions } from './layers/tokens.ts'
export { unfold } from './layers/unfold.ts'
export { equal, greater, greaterEqual, less, lessEqual, notEqual } from './operations/comparisons.ts'
export { cumsum } from './operations/cumsum.ts'
export { einsum } from './operations/einsum.ts'
export { maximum, minimum } from './operations/extremes.ts'
export { fourierMix } from './operations/fourierMix.ts'
export { gather } from './operations/gather.ts'
export { lerp } from './operations/lerp.ts'
export { longConv } from './operations/longConv.ts'
export { avgPool, maxPool, type PoolOptions } from './operations/pool.ts'
export { type RotaryOptions, rotary } from './operations/rotary.ts'
export { cumprod, type ScanOptions, scan } from './operations/scan.ts'
export { type ShiftOptions, shift } from './operations/shift.ts'
export { softmax } from './operations/softmax.ts'
export { where } from './operations/where.ts'
export { type WindowsOptions, windows } from './operations/windows.ts'
export {
  abs,
  add,
  concat,
  cos,
  div,
  exp,
  gelu,
  max,
  mean,
  mul,
  relu,
  reshape,
  sigmoid,
  sin,
  softplus,
  split,
  sqrt,
  square,
  sub,
  sum,
  tanh,
  transpose,
  zerosLike,
} from './ops.ts'
export { parameter, scope } from './scope.ts'
export { type Stage, stack, stages } from './stack.ts'
export { surrogate } from './surrogate.ts'
export type { Frame, Head, Stem } from './types.ts'
