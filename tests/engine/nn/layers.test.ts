import { describe, expect, it } from 'vitest'
import {
  addPositions,
  affine,
  attend,
  batchNorm,
  conv2d,
  dense,
  externalAttention,
  firstToken,
  gelu,
  layerNorm,
  layerScale,
  mlp,
  multiHeadExternalAttention,
  normal,
  patchEmbed,
  prependToken,
  relativePositionBias,
  residual,
  resizedPositions,
  selfAttention,
  spatialGating,
  split,
  tinyAttention,
  tokenDense,
  unfold,
} from '../../../engine/nn/index.ts'
import { geluTanh } from '../../../engine/nn/layers/activation.ts'
import type { Forward } from '../../../engine/nn/model.ts'
import { gradientError } from './gradients.ts'
import { kinked, smooth } from './primitives.ts'

const relative = { name: 'relative', buckets: 8, maxDistance: 16 }

const layers: [string, number[], Forward][] = [
  ['dense', [2, 3, 4], (x) => dense(x, 5)],
  ['dense without bias', [2, 3, 4], (x) => dense(x, 5, { bias: false })],
  ['mlp', [2, 3, 4], (x) => mlp(x, 6)],
  ['tokenDense', [2, 3, 4], (x) => tokenDense(x)],
  ['tokenDense to other tokens', [2, 3, 4], (x) => tokenDense(x, { tokens: 5 })],
  ['tokenDense, Toeplitz', [2, 5, 4], (x) => tokenDense(x, { structure: 'toeplitz' })],
  ['layerNorm', [2, 3, 4], (x) => layerNorm(x)],
  ['affine', [2, 3, 4], (x) => affine(x)],
  ['layerScale', [2, 3, 4], (x) => layerScale(x, 0.1, { name: 'ls' })],
  ['batchNorm', [2, 3, 4], (x) => batchNorm(x)],
  ['gelu', [2, 3, 4], (x) => gelu(x)],
  ['geluTanh', [2, 3, 4], (x) => geluTanh(x)],
  ['split', [2, 3, 4], (x) => split(x, 2)[1]],
  ['spatialGating, split', [2, 3, 8], (x) => spatialGating(x)],
  ['spatialGating, linear', [2, 3, 4], (x) => spatialGating(x, { gate: 'linear' })],
  ['spatialGating, additive', [2, 3, 4], (x) => spatialGating(x, { gate: 'additive' })],
  ['spatialGating, multiplicative', [2, 3, 4], (x) => spatialGating(x, { gate: 'multiplicative' })],
  ['selfAttention', [2, 3, 4], (x) => selfAttention(x, { heads: 2 })],
  ['tinyAttention', [2, 3, 4], (x) => tinyAttention(x, 2, 6)],
  [
    'attend by relative positions alone',
    [2, 5, 4],
    (x) => attend(null, x, { heads: 2, bias: relativePositionBias(5, 2, relative) }),
  ],
  ['externalAttention', [2, 3, 4], (x) => externalAttention(x, { slots: 5 })],
  ['multiHeadExternalAttention', [2, 3, 4], (x) => multiHeadExternalAttention(x, { heads: 2, slots: 5 })],
  ['patchEmbed', [2, 4, 6, 3], (x) => patchEmbed(x, 2, 5)],
  ['patchEmbed, not square', [2, 4, 6, 3], (x) => patchEmbed(x, [2, 3], 5)],
  ['conv2d', [2, 5, 4, 3], (x) => conv2d(x, 4, { stride: 2 })],
  ['conv2d, rows by other strides', [2, 5, 4, 3], (x) => conv2d(x, 4, { stride: [2, 1] })],
  ['unfold', [2, 6, 5, 3], (x) => unfold(x, 3, 2, 1)],
  ['prependToken', [2, 3, 4], (x) => prependToken(x, 'cls_token')],
  ['addPositions', [2, 3, 4], (x) => addPositions(x, 'pos_embed')],
  ['resizedPositions', [2, 6, 4], (x) => residual(x, resizedPositions('p', [3, 3], [2, 3], 4, normal(1)))],
  ['firstToken', [2, 3, 4], (x) => firstToken(x)],
  ['residual', [2, 3, 4], (x) => residual(x, dense(x, 4))],
]

describe('the gradient agrees with finite differences', () => {
  it.each(layers)('%s', (_, shape, forward) => {
    expect(gradientError(forward, shape)).toBeLessThan(2e-4)
  })
  it.each(Object.entries(smooth))('%s', (_, forward) => {
    expect(gradientError(forward, [2, 6, 8])).toBeLessThan(5e-4)
  })
  it.each(Object.entries(kinked))('%s', (_, forward) => {
    // where a kink lies within a step the derivative is another one
    expect(gradientError(forward, [2, 6, 8], 1e-4)).toBeLessThan(0.02)
  })
})
