// The block language: what a block, built in or in a cell, is written with.

export { type BlockWith, block } from './block.ts'
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
export { type Activation, activate } from './layers/activation.ts'
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
export { type Conv2dOptions, conv2d } from './layers/conv2d.ts'
export { type DenseOptions, dense } from './layers/dense.ts'
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
export { type RelativePositionOptions, relativePositionBias } from './layers/relativePosition.ts'
export { residual } from './layers/residual.ts'
export { type Gate, type SpatialGatingOptions, spatialGating } from './layers/spatialGating.ts'
export { type TokenDenseOptions, tokenDense } from './layers/tokenDense.ts'
export { addPositions, firstRows, firstToken, meanToken, prependToken, resizedPositions } from './layers/tokens.ts'
export { unfold } from './layers/unfold.ts'
export { add, concat, gelu, max, mean, mul, relu, reshape, split, sub, tanh, transpose, zerosLike } from './ops.ts'
export { parameter, scope } from './scope.ts'
export { surrogate } from './surrogate.ts'
export type { Frame } from './types.ts'
