import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import type { Change } from './perParameter.ts'

/** Running means of the gradient and of its square, under the names of PyTorch. */
export const MOMENTS = ['exp_avg', 'exp_avg_sq'] as const

/** Decay rates of the two moments. */
export const betas = {
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.999),
}

export interface MomentOptions {
  beta1: number
  beta2: number
  eps: number
}

/**
 * Takes `gradient` into the moments and returns `scale` times the Adam update, mean / (sqrt(square) + eps), with both
 * moments bias-corrected (Kingma and Ba 2015, algorithm 1).
 */
export function adamUpdate(
  { gradient, step, memory }: Change<(typeof MOMENTS)[number]>,
  { beta1, beta2, eps }: MomentOptions,
  scale = 1,
): tf.Tensor {
  const { exp_avg: mean, exp_avg_sq: square } = memory
  mean.assign(tf.add(tf.mul(mean, beta1), tf.mul(gradient, 1 - beta1)))
  square.assign(tf.add(tf.mul(square, beta2), tf.mul(tf.square(gradient), 1 - beta2)))
  const root = tf.add(tf.sqrt(tf.mul(square, 1 / (1 - beta2 ** step))), eps)
  return tf.div(tf.mul(mean, scale / (1 - beta1 ** step)), root)
}
