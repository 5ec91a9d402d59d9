import * as tf from '@tensorflow/tfjs-core'
import { correctEngine, withoutCorrections } from './corrections.ts'
import { rememberGradients } from './covered.ts'
import { type Gradient, stock, withBroadcasting } from './gradient.ts'
import { elementwise } from './own/elementwise.ts'
import { extremes } from './own/extremes.ts'
import { moving } from './own/moving.ts'
import { pictures } from './own/pictures.ts'
import { products } from './own/products.ts'
import { resized } from './own/resize.ts'
import { within } from './own/within.ts'

/** Our own, where those of tfjs are wrong or missing: many are made of those of tfjs, which come with its package. */
const own = (): Gradient[] => [...elementwise(), ...extremes(), ...products(), ...moving(), ...pictures(), ...resized()]

/** Those that earlier versions had in place of ours. */
const former = (): Gradient[] => [...['Abs', 'Max', 'Min'].map(stock), ...['Maximum', 'Minimum'].map(withBroadcasting)]

let registered: { own: Gradient[]; former: Gradient[] } | null = null

/**
 * Gives tfjs our gradients of its kernels in place of its own, and corrects its engine, once. Where that of tfjs is right,
 * ours does the same operations, so that the bits and keys of runs stay.
 */
export function registerGradients(): void {
  if (registered) return
  registered = { former: former(), own: own() }
  correctEngine(within())
  for (const gradient of registered.own) tf.registerGradient(gradient)
  rememberGradients()
}

/** Runs code as an earlier version did, to know its keys: with its gradients, and, where `engine` is, without corrections. */
export function asFormerly<Result>(what: 'gradients' | 'engine', run: () => Result): Result {
  registerGradients()
  const { own, former } = registered as NonNullable<typeof registered>
  for (const gradient of former) tf.registerGradient(gradient)
  try {
    return withoutCorrections(what === 'engine' ? 'all' : 'within', run)
  } finally {
    for (const gradient of own) tf.registerGradient(gradient)
  }
}
