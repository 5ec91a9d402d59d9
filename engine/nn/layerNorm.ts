import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from './differentiable.ts'
import { fused } from './fused.ts'
import { ones, zeros } from './initialisers.ts'
import { parameter, scope } from './scope.ts'

export interface LayerNormOptions {
  name?: string
  /** Added to the variance; 1e-6 as in timm and Flax. */
  eps?: number
}

/** LayerNorm over the channel axis with biased variance, scale and shift: `[..., dim]` (Ba et al. 2016). */
export function layerNorm(x: tf.Tensor, options: LayerNormOptions = {}): tf.Tensor {
  const { name, eps = 1e-6 } = options
  return scope('norm', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const weight = parameter('weight', [dim], ones)
    const bias = parameter('bias', [dim], zeros)
    return tf.add(tf.mul(normalize(x, eps), weight), bias)
  })
}

/** (x - mean) / sqrt(variance + eps) over the last axis. */
function normalize(x: tf.Tensor, eps: number): tf.Tensor {
  return differentiable(
    (x: tf.Tensor) => {
      const own = fused('Normalize', { x }, { eps })
      if (own) return { value: own[0], saved: [own[0], own[1] as tf.Tensor] }
      const centred = tf.sub(x, tf.mean(x, -1, true))
      const scale = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), eps)) // [..., 1]
      const value = tf.mul(centred, scale)
      return { value, saved: [value, scale] }
    },
    (dy, [value, scale]) => {
      const own = fused('NormalizeGrad', { dy, value, scale })
      if (own) return own[0]
      const along = tf.mul(value, tf.mean(tf.mul(dy, value), -1, true))
      return tf.mul(tf.sub(tf.sub(dy, tf.mean(dy, -1, true)), along), scale)
    },
  )(x)
}
