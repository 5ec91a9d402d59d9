import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { fused } from '../fused.ts'
import { ones, zeros } from '../initialisers.ts'
import { parameter, scope } from '../scope.ts'

export interface LayerNormOptions {
  name?: string
  /** Added to the variance; 1e-6 as in timm and Flax. */
  eps?: number
}

/** Layer normalisation over the channel axis with biased variance, scale and shift: `[..., dim]` (Ba et al. 2016). */
export function layerNorm(x: tf.Tensor, options: LayerNormOptions = {}): tf.Tensor {
  const { name, eps = 1e-6 } = options
  return scope('norm', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const weight = parameter('weight', [dim], ones)
    const bias = parameter('bias', [dim], zeros)
    return normalize(x, weight, bias, eps)
  })
}

/** (x - mean) / sqrt(variance + eps) over the last axis, times weight, plus bias; the gradients in closed form. */
function normalize(x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor, eps: number): tf.Tensor {
  const dim = x.shape.at(-1) ?? 1
  const columns = (rows: tf.Tensor) => tf.sum(tf.reshape(rows, [-1, dim]), 0)
  return differentiable(
    (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) => {
      const own = fused('LayerNorm', { x, weight, bias }, { eps }) as [tf.Tensor, tf.Tensor, tf.Tensor] | null
      if (own) return { value: own[0], saved: [own[1], own[2], weight] }
      const centred = tf.sub(x, tf.mean(x, -1, true))
      const scale = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), eps)) // [..., 1]
      const value = tf.mul(centred, scale)
      return { value: tf.add(tf.mul(value, weight), bias), saved: [value, scale, weight] }
    },
    (dy, [value, scale, weight]) => {
      const own = fused('LayerNormGrad', { dy, value, scale, weight }) as [tf.Tensor, tf.Tensor, tf.Tensor] | null
      if (own) return [own[0], columns(own[1]), columns(own[2])]
      const slope = tf.mul(dy, weight)
      const along = tf.mul(value, tf.mean(tf.mul(slope, value), -1, true))
      const dx = tf.mul(tf.sub(tf.sub(slope, tf.mean(slope, -1, true)), along), scale)
      return [dx, columns(tf.mul(dy, value)), columns(dy)]
    },
  )(x, weight, bias)
}
