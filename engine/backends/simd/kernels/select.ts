import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** By a mask of float32, as compiled programs have it (see program/masks.ts); by bool it is left to the stock kernel. */
const select: SimdKernel = ({ inputs, backend }) => {
  const { condition, t, e } = inputs as Record<'condition' | 't' | 'e', TensorInfo>
  if ([condition, t, e].some(({ dtype, shape }) => dtype !== 'float32' || !util.arraysEqual(shape, t.shape)))
    return null
  const { info, address } = backend.output(t.shape)
  const [mask, yes, no] = [backend.address(condition), backend.address(t), backend.address(e)]
  share(backend, 'select', util.sizeFromShape(t.shape), 1, (i, count) => {
    return [mask + 4 * i, yes + 4 * i, no + 4 * i, address + 4 * i, count]
  })
  return info
}

export const selectKernels: SimdKernels = { Select: select }
