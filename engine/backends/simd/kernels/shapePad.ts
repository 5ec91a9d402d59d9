import type { TensorInfo } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { stridesOf } from './shapeAxes.ts'
import { copyStrided } from './shapeCopy.ts'
import { filled } from './shapeFill.ts'

/** x with a constant around it. */
const padV2: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
  const { paddings, constantValue } = attrs as { paddings: [number, number][]; constantValue: number }
  const shape = x.shape.map((size, i) => size + (paddings[i]?.[0] ?? 0) + (paddings[i]?.[1] ?? 0))
  const info = filled(backend, shape, x.dtype, constantValue)
  const address = backend.address(info)
  const [xSteps, outSteps] = [stridesOf(x.shape), stridesOf(shape)]
  const axes = x.shape.map((size, i) => ({ size, steps: [xSteps[i], outSteps[i]] as number[] }))
  const offset = outSteps.reduce((sum, step, i) => sum + step * (paddings[i]?.[0] ?? 0), 0)
  copyStrided(backend, { address: backend.address(x) }, { address, offset }, axes)
  return info
}

/** x, `reps[i]` times along axis i. */
const tile: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
  const { reps } = attrs as { reps: number[] }
  const shape = x.shape.map((size, i) => size * (reps[i] as number))
  const { info, address } = backend.output(shape, x.dtype)
  const [xSteps, outSteps] = [stridesOf(x.shape), stridesOf(shape)]
  const axes = x.shape.flatMap((size, i) => {
    const step = outSteps[i] as number
    return [
      { size: reps[i] as number, steps: [0, step * size] },
      { size, steps: [xSteps[i] as number, step] },
    ]
  })
  copyStrided(backend, { address: backend.address(x) }, { address }, axes)
  return info
}

export const padKernels: SimdKernels = { PadV2: padV2, Tile: tile }
