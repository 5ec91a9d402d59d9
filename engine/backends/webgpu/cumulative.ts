import * as tf from '@tensorflow/tfjs-core'

let replaced = false

/**
 * Puts kernels in place of those of tfjs for running sums and products, which are wrong on this backend where they run
 * backwards: these run forwards, over the turned values. To be called once the kernels of tfjs are registered.
 */
export function replaceCumulative(): void {
  if (replaced) return
  replaced = true
  for (const kernelName of ['Cumsum', 'Cumprod']) {
    const stock = tf.getKernel(kernelName, 'webgpu')
    tf.unregisterKernel(kernelName, 'webgpu')
    tf.registerKernel({ ...stock, kernelFunc: (call) => cumulative(stock, call) })
  }
}

function cumulative({ kernelFunc }: tf.KernelConfig, call: Parameters<tf.KernelFunc>[0]): tf.TensorInfo {
  const { inputs, attrs = {} } = call
  const backend = call.backend as tf.KernelBackend
  const { x } = inputs as { x: tf.TensorInfo }
  const { axis, reverse } = attrs as unknown as { axis: number; reverse: boolean }
  if (!reverse) return kernelFunc({ inputs, attrs, backend }) as tf.TensorInfo
  const turn = (x: tf.TensorInfo) =>
    tf.getKernel('Reverse', 'webgpu').kernelFunc({ inputs: { x }, attrs: { dims: [axis] }, backend }) as tf.TensorInfo
  const turned = turn(x)
  const run = kernelFunc({ inputs: { x: turned }, attrs: { ...attrs, reverse: false }, backend }) as tf.TensorInfo
  const result = turn(run)
  for (const each of [turned, run]) backend.disposeData(each.dataId)
  return result
}
