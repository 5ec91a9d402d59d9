import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'

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

/** What the moments are multiplied by to correct their bias after `step` updates, the mean also by `scale`. */
export function biasCorrections(step: number, { beta1, beta2 }: MomentOptions, scale = 1) {
  return { meanFactor: scale / (1 - beta1 ** step), squareFactor: 1 / (1 - beta2 ** step) }
}

/** What an update has of both moments. */
type Given = Record<(typeof MOMENTS)[number] | 'gradient' | 'meanFactor' | 'squareFactor', tf.Tensor> & {
  options: MomentOptions
}

/** Both moments with the gradient taken in, and the Adam update mean / (sqrt(square) + eps) (Kingma and Ba 2015, algorithm 1). */
export function adamUpdate(given: Given, gradient = given.gradient) {
  const { meanFactor, squareFactor, options } = given
  const { beta1, beta2, eps } = options
  const mean = tf.add(tf.mul(given.exp_avg, beta1), tf.mul(gradient, 1 - beta1))
  const square = tf.add(tf.mul(given.exp_avg_sq, beta2), tf.mul(tf.square(gradient), 1 - beta2))
  const root = tf.add(tf.sqrt(tf.mul(square, squareFactor)), eps)
  return { moments: { exp_avg: mean, exp_avg_sq: square }, change: tf.div(tf.mul(mean, meanFactor), root) }
}
