import * as tf from '@tensorflow/tfjs-core'
import type { SimdBackend } from './backend.ts'
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

/**
 * On `simd`, the gradients of Sum and Mean by repeating dy: to the bit those of tfjs, which multiply it by ones of the
 * shape of x, an array that JavaScript fills anew each time. Other backends, and graphs that are recorded, keep those.
 */
function registerGradients(): void {
  for (const kernelName of ['Sum', 'Mean']) {
    const stock = tf.getGradient(kernelName) as tf.GradConfig | undefined
    if (stock) tf.registerGradient({ ...stock, gradFunc: repeated(stock) })
  }
}

function repeated({ kernelName, gradFunc }: tf.GradConfig): tf.GradFunc {
  return (given, saved, attrs) => {
    const [x, dy] = [saved[0] as tf.Tensor, given as tf.Tensor]
    if (tf.getBackend() !== 'simd' || x.size === 0) return gradFunc(given, saved, attrs)
    const axes = tf.util.parseAxisParam(attrs.axis as number | number[], x.shape)
    const shape = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
    const each = kernelName === 'Mean' ? tf.div(dy, x.size / dy.size) : dy
    return { x: () => tf.broadcastTo(tf.reshape(each, shape), x.shape as [number]) }
  }
}
