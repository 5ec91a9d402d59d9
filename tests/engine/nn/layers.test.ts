import { describe, expect, it } from 'vitest'
import {
  dense,
  gelu,
  layerNorm,
  patchEmbed,
  residual,
  spatialGating,
  split,
  tokenDense,
} from '../../../engine/nn/index.ts'
import type { Forward } from '../../../engine/nn/model.ts'
import { gradientError } from './gradients.ts'

const layers: [string, number[], Forward][] = [
  ['dense', [2, 3, 4], (x) => dense(x, 5)],
  ['dense without bias', [2, 3, 4], (x) => dense(x, 5, { bias: false })],
  ['tokenDense', [2, 3, 4], (x) => tokenDense(x)],
  ['tokenDense to other tokens', [2, 3, 4], (x) => tokenDense(x, { tokens: 5 })],
  ['layerNorm', [2, 3, 4], (x) => layerNorm(x)],
  ['gelu', [2, 3, 4], (x) => gelu(x)],
  ['split', [2, 3, 4], (x) => split(x, 2)[1]],
  ['spatialGating', [2, 3, 8], (x) => spatialGating(x)],
  ['patchEmbed', [2, 4, 6, 3], (x) => patchEmbed(x, 2, 5)],
  ['residual', [2, 3, 4], (x) => residual(x, dense(x, 4))],
]

describe('the gradient agrees with finite differences', () => {
  it.each(layers)('%s', (_, shape, forward) => {
    expect(gradientError(forward, shape)).toBeLessThan(2e-3)
  })
})
