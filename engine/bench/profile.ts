import * as tf from '@tensorflow/tfjs-core'

/** Time that one kernel took. */
export interface KernelTime {
  kernel: string
  calls: number
  ms: number
}

/** The profiler: runs `body` and times every kernel of the current backend in it, longest first. For the processor. */
export async function profileKernels(body: () => Promise<unknown>): Promise<KernelTime[]> {
  const backend = tf.getBackend()
  const kernels = tf.getKernelsForBackend(backend)
  const times = new Map<string, KernelTime>()
  for (const config of kernels) {
    const entry: KernelTime = { kernel: config.kernelName, calls: 0, ms: 0 }
    times.set(config.kernelName, entry)
    replace(backend, {
      ...config,
      kernelFunc: (call) => {
        const begun = performance.now()
        const result = config.kernelFunc(call)
        entry.ms += performance.now() - begun
        entry.calls += 1
        return result
      },
    })
  }
  try {
    await body()
  } finally {
    for (const config of kernels) replace(backend, config)
  }
  return [...times.values()].filter(({ calls }) => calls > 0).sort((a, b) => b.ms - a.ms)
}

function replace(backend: string, config: tf.KernelConfig): void {
  tf.unregisterKernel(config.kernelName, backend)
  tf.registerKernel(config)
}
