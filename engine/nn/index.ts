// The block language: what a block, built in or in a cell, is written with.
export { type Activation, activate } from './activation.ts'
export { affine, layerScale } from './affine.ts'
export {
  attend,
  joinHeads,
  type SelfAttentionOptions,
  selfAttention,
  splitHeads,
  type TinyAttentionOptions,
  tinyAttention,
} from './attention.ts'
export { type BatchNormOptions, batchNorm } from './batchNorm.ts'
export { type BlockWith, block } from './block.ts'
export { type Conv2dOptions, conv2d } from './conv2d.ts'
export { type DenseOptions, dense } from './dense.ts'
export { type DropoutRates, dropout } from './dropout.ts'
export { type EmbeddingOptions, embedding, tiedLogits } from './embedding.ts'
export { type ExternalAttentionOptions, externalAttention, multiHeadExternalAttention } from './externalAttention.ts'
export { type Frame, usualFrames } from './frame.ts'
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
export { type LayerNormOptions, layerNorm } from './layerNorm.ts'
export { type MlpOptions, mlp } from './mlp.ts'
export { add, concat, gelu, max, mean, mul, relu, reshape, split, sub, tanh, transpose, zerosLike } from './ops.ts'
export { type PatchEmbedOptions, patchEmbed } from './patchEmbed.ts'
export { type RelativePositionOptions, relativePositionBias } from './relativePosition.ts'
export { residual } from './residual.ts'
export { parameter, scope } from './scope.ts'
export { type Gate, type SpatialGatingOptions, spatialGating } from './spatialGating.ts'
export { type TokenDenseOptions, tokenDense } from './tokenDense.ts'
export { addPositions, firstRows, firstToken, meanToken, prependToken, resizedPositions } from './tokens.ts'
export { unfold } from './unfold.ts'
