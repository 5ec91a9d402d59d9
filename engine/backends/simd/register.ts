import * as tf from '@tensorflow/tfjs-core'
import type { SimdBackend } from './backend.ts'
import { registerGradients } from './gradients.ts'
import * as tables from './kernels/index.ts'
import type { SimdKernels } from './kernels/kernel.ts'
import { loadSimd, type SimdOptions } from './load.ts'

/** All kernels of ours, by their tfjs names. */
export const simdKernels: SimdKernels = Object.assign({}, ...Object.values(tables))

/** Below the GPU backends, above the stock CPU backend. */
const PRIORITY = 1

/**
 * Registers the backend `simd`: our kernels, and the stock CPU kernels for everything else, so that any operation that a
 * user calls works. The stock backend has to be registered already.
 */
export function registerSimd(options: SimdOptions = {}): void {
  if (tf.findBackendFactory('simd')) return
  tf.registerBackend('simd', () => loadSimd(options), PRIORITY)
  tf.copyRegisteredKernels('cpu', 'simd')
  registerGradients()
  for (const [kernelName, run] of Object.entries(simdKernels)) {
    const stock = tf.getKernel(kernelName, 'simd') as tf.KernelConfig | undefined // none for the fused ones
    if (stock) tf.unregisterKernel(kernelName, 'simd')
    tf.registerKernel({
      ...stock,
      kernelName,
      backendName: 'simd',
      kernelFunc: ({ inputs, attrs, backend }) => {
        const result = run({ inputs, attrs: attrs ?? {}, backend: backend as SimdBackend })
        if (result) return result
        if (stock) return stock.kernelFunc({ inputs, attrs: attrs ?? {}, backend })
        throw new Error(`the kernel ${kernelName} gave no result`)
      },
    })
  }
}
