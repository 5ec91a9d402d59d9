import * as tf from '@tensorflow/tfjs-core'
import { differentiable } from '../differentiable.ts'
import { type Initialiser, ones, zeros } from '../initialisers.ts'
import { currentPass, parameter, scope } from '../scope.ts'

export interface BatchNormOptions {
  name?: string
  eps?: number
  /** Share of a batch in the running statistics. */
  momentum?: number
  /** Where the scales start; 1 by default. */
  weight?: Initialiser
}

/**
 * Batch normalisation over all axes but the channels, `[..., dim]` (Ioffe and Szegedy 2015, as torch.nn.BatchNorm):
 * statistics of the batch while training, which move the running ones (variance unbiased there), else the running ones.
 */
export function batchNorm(x: tf.Tensor, options: BatchNormOptions = {}): tf.Tensor {
  const { name, eps = 1e-5, momentum = 0.1, weight: scale = ones } = options
  return scope('bn', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const weight = parameter('weight', [dim], scale)
    const bias = parameter('bias', [dim], zeros)
    const runningMean = parameter('running_mean', [dim], zeros, { trained: false })
    const runningVariance = parameter('running_var', [dim], ones, { trained: false })
    if (!currentPass('bn').training) return normalize(x, runningMean, runningVariance, eps, weight, bias)

    const axes = allButChannels(x)
    const mean = tf.mean(x, axes)
    const variance = tf.mean(tf.square(tf.sub(x, mean)), axes)
    const count = x.size / dim
    move(runningMean, mean, momentum)
    move(runningVariance, tf.mul(variance, count / Math.max(1, count - 1)), momentum)
    return normalizeBatch(x, mean, variance, eps, weight, bias)
  })
}

/** The same with statistics of x itself, and the gradients in closed form. */
function normalizeBatch(
  x: tf.Tensor,
  mean: tf.Tensor,
  variance: tf.Tensor,
  eps: number,
  weight: tf.Tensor,
  bias: tf.Tensor,
): tf.Tensor {
  const axes = allButChannels(x)
  const share = weight.size / x.size
  return differentiable(
    (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) => {
      return { value: normalize(x, mean, variance, eps, weight, bias), saved: [x, mean, variance, weight] }
    },
    (dy, [x, mean, variance, weight]) => {
      const centred = tf.sub(x, mean)
      const scale = tf.rsqrt(tf.add(variance, eps)) // [dim]
      const sum = tf.sum(dy, axes)
      const along = tf.mul(tf.sum(tf.mul(dy, centred), axes), scale)
      const factor = tf.mul(scale, weight)
      const [level, slope] = [tf.mul(sum, share), tf.mul(tf.mul(along, scale), share)]
      const dx = tf.sub(tf.mul(dy, factor), tf.mul(centred, tf.mul(slope, factor)))
      return [tf.sub(dx, tf.mul(level, factor)), along, sum]
    },
  )(x, weight, bias)
}

function allButChannels({ rank }: tf.Tensor): number[] {
  return [...Array(rank - 1).keys()]
}

function normalize(
  x: tf.Tensor,
  mean: tf.Tensor,
  variance: tf.Tensor,
  eps: number,
  weight: tf.Tensor,
  bias: tf.Tensor,
): tf.Tensor {
  const scale = tf.mul(tf.rsqrt(tf.add(variance, eps)), weight) // [dim]
  return tf.add(tf.mul(tf.sub(x, mean), scale), bias)
}

function move(running: tf.Variable, batch: tf.Tensor, momentum: number): void {
  running.assign(tf.add(tf.mul(running, 1 - momentum), tf.mul(batch, momentum)))
}
