import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { type Axis, collapse, nest, stepsOf } from './shapeAxes.ts'
import { copyStrided } from './shapeCopy.ts'

/** Any permutation: rows are copied where the last axis stays, the others go in blocks of 4 by 4. */
const transpose: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
  const { perm } = attrs as { perm: number[] }
  const shape = perm.map((axis) => x.shape[axis] as number)
  const { info, address } = backend.output(shape, x.dtype)
  if (util.sizeFromShape(shape) === 0) return info

  const [xSteps, outSteps] = [stepsOf(x.shape), stepsOf(shape)]
  // in the order of the output
  const axes = collapse(
    perm.map((axis, i) => ({ size: shape[i] as number, steps: [xSteps[axis], outSteps[i]] as number[] })),
  )
  const last = axes.at(-1)
  const from = backend.address(x)
  if (!last || last.steps[0] === 1) {
    copyStrided(backend, { address: from }, { address }, axes)
    return info
  }
  const columns = axes.find(({ steps }) => steps[0] === 1) as Axis // the last axis of x
  const others = axes.filter((axis) => axis !== columns && axis !== last)
  nest([...others, last, columns], ([xOffset = 0, outOffset = 0], inside) => {
    const [first, second, rows, row] = inside as [Axis, Axis, Axis, Axis]
    const steps = (operand: 0 | 1): [number, number] => [first.steps[operand] ?? 0, second.steps[operand] ?? 0]
    const [xRow, outRow] = [rows.steps[0] as number, row.steps[1] as number]
    const [source, target] = [from + 4 * xOffset, address + 4 * outOffset]
    const sizes = [first.size, second.size, rows.size, row.size] as const
    backend.wasm.transpose(source, target, ...sizes, ...steps(0), xRow, ...steps(1), outRow)
  })
  return info
}

export const transposeKernels: SimdKernels = { Transpose: transpose }
