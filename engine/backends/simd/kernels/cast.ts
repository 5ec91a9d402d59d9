import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** To float32 from int32 or bool, to int32 from bool: new numbers, where the stock kernel shares those of x. */
const cast: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  const { dtype } = attrs as { dtype: string }
  if (dtype === 'float32' && x.dtype === 'int32') {
    const { info, address } = backend.output(x.shape)
    const from = backend.address(x)
    share(backend, 'toFloat', util.sizeFromShape(x.shape), 1, (i, count) => [from + 4 * i, address + 4 * i, count])
    return info
  }
  if (x.dtype !== 'bool' || (dtype !== 'float32' && dtype !== 'int32')) return null
  const { info } = backend.output(x.shape, dtype)
  const values = backend.data.get(info.dataId).values as Float32Array
  values.set(backend.data.get(x.dataId).values as Uint8Array)
  return info
}

export const castKernels: SimdKernels = { Cast: cast }
