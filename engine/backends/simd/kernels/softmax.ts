import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** Over the last axis; tf.logSoftmax is made of other kernels. */
const softmax: SimdKernel = ({ inputs, attrs, backend }) => {
  const logits = inputs.logits as TensorInfo
  const { dim } = attrs as { dim: number }
  const last = logits.shape.length - 1
  if (logits.dtype !== 'float32' || last < 0 || (dim !== -1 && dim !== last)) return null
  const { info, address } = backend.output(logits.shape)
  const rows = util.sizeFromShape(logits.shape.slice(0, -1))
  backend.wasm.softmax(backend.address(logits), address, rows, logits.shape[last] as number)
  return info
}

export const softmaxKernels: SimdKernels = { Softmax: softmax }
