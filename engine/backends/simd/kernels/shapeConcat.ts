import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { copyStrided } from './shapeCopy.ts'

/** The parts side by side: each `[outer, own size]`, the result `[outer, sum of sizes]`. */
function join(backend: SimdBackend, parts: TensorInfo[], shape: number[], outer: number): TensorInfo {
  const { info, address } = backend.output(shape, parts[0]?.dtype as 'float32' | 'int32')
  const row = outer > 0 ? util.sizeFromShape(shape) / outer : 0
  let offset = 0
  for (const part of parts) {
    const size = outer > 0 ? util.sizeFromShape(part.shape) / outer : 0
    const axes = [
      { size: outer, steps: [size, row] },
      { size, steps: [1, 1] },
    ]
    copyStrided(backend, { address: backend.address(part) }, { address, offset }, axes)
    offset += size
  }
  return info
}

/** The inputs where all have one type that can be copied; with a single one the stock kernel shares its memory. */
function sameType(inputs: TensorInfo[]): TensorInfo[] | null {
  const [first, ...rest] = inputs
  if (!first || rest.length === 0 || (first.dtype !== 'float32' && first.dtype !== 'int32')) return null
  return rest.every(({ dtype }) => dtype === first.dtype) ? inputs : null
}

const concat: SimdKernel = ({ inputs, attrs, backend }) => {
  const parts = sameType(Object.values(inputs) as TensorInfo[])
  if (!parts) return null
  const shapes = parts.map(({ shape }) => shape)
  const axis = util.parseAxisParam(attrs.axis as number, shapes[0] as number[])[0] as number
  backend_util.assertParamsConsistent(shapes, axis)
  const shape = backend_util.computeOutShape(shapes, axis)
  return join(backend, parts, shape, util.sizeFromShape(shape.slice(0, axis)))
}

const pack: SimdKernel = ({ inputs, attrs, backend }) => {
  const parts = sameType(Object.values(inputs) as TensorInfo[])
  if (!parts) return null
  const own = (parts[0] as TensorInfo).shape
  if (parts.some(({ shape }) => !util.arraysEqual(shape, own))) return null
  const { axis } = attrs as { axis: number }
  const at = axis < 0 ? axis + own.length + 1 : axis
  return join(backend, parts, own.toSpliced(at, 0, parts.length), util.sizeFromShape(own.slice(0, at)))
}

export const concatKernels: SimdKernels = { Concat: concat, Pack: pack }
