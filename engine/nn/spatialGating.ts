import type * as tf from '@tensorflow/tfjs-core'
import { nearZero, ones } from './initialisers.ts'
import { layerNorm } from './layerNorm.ts'
import { mul, split } from './ops.ts'
import { scope } from './scope.ts'
import { tokenDense } from './tokenDense.ts'

export interface SpatialGatingOptions {
  name?: string
  /** eps of the LayerNorm inside; 1e-5 as in timm. */
  eps?: number
}

/**
 * Spatial gating unit: u * (W LN(v) + b) for the halves u, v of x, W over tokens: `[batch, tokens, ffn]` to
 * `[batch, tokens, ffn / 2]`. Starts as u * 1 ("Pay Attention to MLPs", section 2.1).
 */
export function spatialGating(x: tf.Tensor, options: SpatialGatingOptions = {}): tf.Tensor {
  const { name, eps = 1e-5 } = options
  return scope('gate', name, () => {
    const [u, v] = split(x, 2)
    return mul(u, tokenDense(layerNorm(v, { eps }), { name: 'proj', weight: nearZero, bias: ones }))
  })
}
