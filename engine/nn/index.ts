// The block language: what a block, built in or in a cell, is written with.
export { type BlockWith, block } from './block.ts'
export { type DenseOptions, dense } from './dense.ts'
export {
  constant,
  type Initialiser,
  lecunNormal,
  nearZero,
  normal,
  ones,
  uniform,
  xavierUniform,
  zeros,
} from './initialisers.ts'
export { type LayerNormOptions, layerNorm } from './layerNorm.ts'
export { add, concat, gelu, mean, mul, relu, reshape, split, sub, transpose } from './ops.ts'
export { type PatchEmbedOptions, patchEmbed } from './patchEmbed.ts'
export { residual } from './residual.ts'
export { parameter, scope } from './scope.ts'
export { type SpatialGatingOptions, spatialGating } from './spatialGating.ts'
export { type TokenDenseOptions, tokenDense } from './tokenDense.ts'
