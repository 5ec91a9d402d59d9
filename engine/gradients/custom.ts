import * as tf from '@tensorflow/tfjs-core'
import type { TensorFunction } from './differences.ts'

/** A use of an operation whose gradient no table knows. */
export interface CustomCall {
  /** As code calls it. */
  name: string
  run: TensorFunction
  inputs: tf.Tensor[]
}

let watching: ((call: CustomCall) => void) | null = null
let declared: (() => void) | null = null

/** Runs code and calls `watch` before each operation of a cell with a gradient of its own. */
export function watchCustom<Result>(watch: (call: CustomCall) => void, run: () => Result): Result {
  const before = watching
  watching = watch
  try {
    return run()
  } finally {
    watching = before
  }
}

/** Runs code and calls `watch` at each use of a surrogate gradient, with the code on the stack. */
export function watchSurrogates<Result>(watch: () => void, run: () => Result): Result {
  const before = declared
  declared = watch
  try {
    return run()
  } finally {
    declared = before
  }
}

/** To be called at each use of a surrogate gradient. */
export function noteSurrogate(): void {
  declared?.()
}

/** `run`, seen by whoever watches; not inside of another operation. */
function watched<Result extends tf.Tensor>(name: string, run: (...inputs: tf.Tensor[]) => Result): typeof run {
  return (...inputs) => {
    if (tf.engine().state.kernelDepth === 0) watching?.({ name, run, inputs })
    return run(...inputs)
  }
}

const customGrad: typeof tf.customGrad = (f) => watched('customGrad', tf.customGrad(f))

const stockLoss = tf.losses.softmaxCrossEntropy as unknown as (...given: unknown[]) => tf.Tensor

/** Its gradient by the labels is wrong in tfjs; that by the logits is right. */
function softmaxCrossEntropy(labels: unknown, logits: unknown, ...options: unknown[]): tf.Tensor {
  if (!(labels instanceof tf.Tensor && logits instanceof tf.Tensor)) return stockLoss(labels, logits, ...options)
  return watched('softmaxCrossEntropy', (...inputs: tf.Tensor[]) => stockLoss(...inputs, ...options))(labels, logits)
}

const losses = { ...tf.losses, softmaxCrossEntropy }

/** What code of a cell gets in place of functions of tfjs, so that their gradients can be checked. */
export const watchedOperations: ReadonlyMap<unknown, object> = new Map<unknown, object>([
  [tf.customGrad, customGrad],
  [tf.losses, losses],
  [tf.losses.softmaxCrossEntropy, softmaxCrossEntropy],
])
