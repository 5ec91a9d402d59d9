import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import {
  add,
  addPositions,
  affine,
  attend,
  avgPool,
  batchNorm,
  conv1d,
  conv2d,
  dense,
  depthwiseConv2d,
  externalAttention,
  firstToken,
  gelu,
  layerNorm,
  layerScale,
  maxPool,
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

/** Far from where another value is the largest. */
const apart = (x: tf.Tensor) =>
  add(
    x,
    tf
      .tensor(
        Float32Array.from({ length: x.size }, (_, i) => (i * 7) % 11),
        x.shape,
      )
      .mul(2),
  )

const layers: [string, number[], Forward][] = [
  ['dense', [2, 3, 4], (x) => dense(x, 5)],
  ['dense without bias', [2, 3, 4], (x) => dense(x, 5, { bias: false })],
  ['mlp', [2, 3, 4], (x) => mlp(x, 6)],
  ['tokenDense', [2, 3, 4], (x) => tokenDense(x)],
  ['tokenDense to other tokens', [2, 3, 4], (x) => tokenDense(x, { tokens: 5 })],
  ['tokenDense in share sets', [2, 3, 4], (x) => tokenDense(x, { sets: 2, tokens: 5, bias: normal(1) })],
  [
    'tokenDense with convolutions beside it',
    [2, 6, 4],
    (x) => tokenDense(x, { sets: 2, locality: [1, 3], grid: [2, 3] }),
  ],
  [
    'tokenDense with convolutions before it',
    [2, 6, 4],
    (x) => tokenDense(x, { tokens: 5, locality: [3], grid: [2, 3] }),
  ],
  ['tokenDense, Toeplitz', [2, 5, 4], (x) => tokenDense(x, { structure: 'toeplitz' })],
  ['layerNorm', [2, 3, 4], (x) => layerNorm(x)],
  ['affine', [2, 3, 4], (x) => affine(x)],
  ['layerScale', [2, 3, 4], (x) => layerScale(x, 0.1, { name: 'ls' })],
  ['batchNorm', [2, 3, 4], (x) => batchNorm(x)],
  ['gelu', [2, 3, 4], (x) => gelu(x)],
  ['geluTanh', [2, 3, 4], (x) => geluTanh(x)],
  ['split', [2, 3, 4], (x) => split(x, 2)[1]],
  ['split in one part', [2, 3, 4], (x) => tf.mul(x, split(x, 1)[0] as tf.Tensor)],
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
  ['conv2d, dilated', [2, 5, 4, 3], (x) => conv2d(x, 4, { dilation: [2, 1] })],
  ['conv2d in groups', [2, 5, 4, 4], (x) => conv2d(x, 6, { groups: 2, stride: 2, bias: normal(1) })],
  ['conv2d, several of each channel', [2, 5, 4, 3], (x) => conv2d(x, 6, { groups: 3 })],
  ['conv2d of tokens', [2, 6, 3], (x) => conv2d(x, 2, { grid: [2, 3] })],
  ['depthwiseConv2d', [2, 5, 4, 3], (x) => depthwiseConv2d(x, { kernel: [3, 2], stride: [1, 2], bias: normal(1) })],
  ['depthwiseConv2d, dilated', [2, 5, 4, 3], (x) => depthwiseConv2d(x, { dilation: 2 })],
  ['depthwiseConv2d in share sets', [2, 5, 4, 6], (x) => depthwiseConv2d(x, { sets: 2, bias: normal(1) })],
  ['conv2d without padding', [2, 5, 4, 3], (x) => conv2d(x, 2, { kernel: 2, stride: 2, padding: 0 })],
  ['depthwiseConv2d of tokens', [2, 6, 3], (x) => depthwiseConv2d(x, { grid: [3, 2] })],
  ['conv1d', [2, 7, 3], (x) => conv1d(x, 4, { kernel: 4, stride: 2, bias: normal(1) })],
  ['conv1d, causal and dilated', [2, 7, 3], (x) => conv1d(x, 4, { dilation: 2, padding: 'causal' })],
  ['conv1d of each channel, longer than the tokens', [2, 3, 4], (x) => conv1d(x, 4, { kernel: 5, groups: 4 })],
  ['conv1d without padding', [2, 7, 4], (x) => conv1d(x, 2, { groups: 2, padding: 'valid' })],
  ['avgPool', [2, 5, 4, 3], (x) => avgPool(x)],
  ['avgPool, some windows', [2, 5, 6, 3], (x) => avgPool(x, { kernel: [2, 3], stride: [2, 1] })],
  ['avgPool, whole windows', [2, 5, 6, 3], (x) => avgPool(x, { kernel: 2, stride: 2, padding: 'valid' })],
  ['avgPool along tokens', [2, 5, 4], (x) => avgPool(x, { stride: 2 })],
  ['maxPool', [2, 4, 3, 2], (x) => maxPool(apart(x), { kernel: [2, 3] })],
  ['maxPool along tokens', [2, 5, 4], (x) => maxPool(apart(x), { stride: 2 })],
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
