import * as tf from '@tensorflow/tfjs-core'
import { correctEngine } from './corrections.ts'
import { rememberGradients } from './covered.ts'
import type { Gradient } from './gradient.ts'
import { elementwise } from './own/elementwise.ts'
import { extremes } from './own/extremes.ts'
import { moving } from './own/moving.ts'
import { pictures } from './own/pictures.ts'
import { products } from './own/products.ts'
import { resized } from './own/resize.ts'

/** Our own, where those of tfjs are wrong or missing: many are made of those of tfjs, which come with its package. */
const own = (): Gradient[] => [...elementwise(), ...extremes(), ...products(), ...moving(), ...pictures(), ...resized()]

let registered = false

/**
 * Gives tfjs our gradients of its kernels in place of its own, once. Where that of tfjs is right, ours does the same
 * operations, so that the bits and keys of runs stay.
 */
export function registerGradients(): void {
  if (registered) return
  correctEngine()
  for (const gradient of own()) tf.registerGradient(gradient)
  rememberGradients()
  registered = true
}
