import * as tf from '@tensorflow/tfjs-core'
import type { KernelCall } from '../trace/recorder.ts'

/** What a recording needs to know of an operation. */
export type Observed = Pick<KernelCall, 'kernel' | 'view' | 'operands' | 'attributes' | 'results'>

/** Watches code that runs. */
export interface OperationObserver {
  record(run: () => void, observe: (call: Observed) => void): unknown
  /** The values of a tensor that no operation made; null where they are not known. */
  valuesOf(tensor: tf.TensorInfo): tf.BackendValues | null
}

/** Runs code on the current backend and calls `observe` for every operation. */
export function observingBackend(run: () => void, observe: (call: Observed) => void): void {
  const end = observeOperations(observe)
  try {
    run()
  } finally {
    end()
  }
}

/** Calls `observe` for every operation of the current backend, until the function that it returns is called. */
export function observeOperations(observe: (call: Observed) => void): () => void {
  const kernels = tf.getKernelsForBackend(tf.getBackend())
  const watched = kernels.map((config): tf.KernelConfig => {
    const { kernelName: kernel, kernelFunc } = config
    return {
      ...config,
      kernelFunc: (call) => {
        const given = kernelFunc(call)
        const results = [given].flat()
        const [first] = Object.values(call.inputs)
        const view = first !== undefined && first.dataId === results[0]?.dataId
        observe({ kernel, view, operands: call.inputs, attributes: call.attrs ?? {}, results })
        return given
      },
    }
  })
  register(watched)
  return () => register(kernels)
}

/** A copy of the values of a tensor of the current backend. */
export function valuesNow({ dataId }: tf.TensorInfo): tf.BackendValues {
  return (tf.backend().readSync(dataId) as Float32Array).slice()
}

/** In place of those of the same name. */
function register(kernels: tf.KernelConfig[]): void {
  for (const config of kernels) {
    tf.unregisterKernel(config.kernelName, config.backendName)
    tf.registerKernel(config)
  }
}
