import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** Over the last axis; tf.logSoftmax is made of other kernels. */
const softmax: SimdKernel = ({ inputs, attrs, backend }) => {
  const logits = inputs.logits as TensorInfo
  const { dim } = attrs as { dim: number }
  const last = logits.shape.length - 1
  if (logits.dtype !== 'float32' || last < 0 || (dim !== -1 && dim !== last)) return null
  const { info, address } = backend.output(logits.shape)
  const rows = util.sizeFromShape(logits.shape.slice(0, -1))
  const size = logits.shape[last] as number
  const x = backend.address(logits)
  share(backend, 'softmax', rows, size, (row, count) => {
    const skipped = 4 * row * size
    return [x + skipped, address + skipped, count, size]
  })
  return info
}

export const softmaxKernels: SimdKernels = { Softmax: softmax }
