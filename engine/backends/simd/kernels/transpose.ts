import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import { GRAIN, type Loop, shareLoop } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { collapse, type LoopAxis, nest, stridesOf } from './shapeAxes.ts'
import { copyStrided } from './shapeCopy.ts'

/** What a permutation takes: copies of rows where the last axis stays, else calls for blocks of 4 by 4. */
export type Transposition = { copies: LoopAxis[] } | { calls: TransposeCall[] }

/** One call of the kernel: elements to skip in x and in out, then sizes and steps. */
export interface TransposeCall {
  offsets: [x: number, out: number]
  numbers: Numbers
}

type Numbers = Parameters<SimdBackend['wasm']['transpose']> extends [number, number, ...infer Rest] ? Rest : never

/** How to permute the axes of an array of `shape`. */
export function transposition(shape: number[], perm: number[]): Transposition {
  const sizes = perm.map((axis) => shape[axis] as number)
  const [xSteps, outSteps] = [stridesOf(shape), stridesOf(sizes)]
  // in the order of the output
  const axes = collapse(
    perm.map((axis, i) => ({ size: sizes[i] as number, steps: [xSteps[axis], outSteps[i]] as number[] })),
  )
  const last = axes.at(-1)
  if (!last || last.steps[0] === 1) return { copies: axes }
  const columns = axes.find(({ steps }) => steps[0] === 1) as LoopAxis // the last axis of x
  const others = axes.filter((axis) => axis !== columns && axis !== last)
  const calls: TransposeCall[] = []
  nest([...others, last, columns], ([x = 0, out = 0], inside) => {
    const [first, second, rows, row] = inside as [LoopAxis, LoopAxis, LoopAxis, LoopAxis]
    const steps = (operand: 0 | 1): [number, number] => [first.steps[operand] ?? 0, second.steps[operand] ?? 0]
    const [xRow, outRow] = [rows.steps[0] as number, row.steps[1] as number]
    const sizes = [first.size, second.size, rows.size, row.size] as const
    calls.push({ offsets: [x, out], numbers: [...sizes, ...steps(0), xRow, ...steps(1), outRow] })
  })
  return { calls }
}

/** Any permutation. */
const transpose: SimdKernel = ({ inputs, attrs, backend }) => {
  const x = inputs.x as TensorInfo
  if (x.dtype !== 'float32' && x.dtype !== 'int32') return null
  const { perm } = attrs as { perm: number[] }
  const shape = perm.map((axis) => x.shape[axis] as number)
  const { info, address } = backend.output(shape, x.dtype)
  if (util.sizeFromShape(shape) === 0) return info

  const from = backend.address(x)
  const how = transposition(x.shape, perm)
  if ('copies' in how) copyStrided(backend, { address: from }, { address }, how.copies)
  else {
    for (const { offsets, numbers } of how.calls) {
      const [n0, n1, rows, columns, x0, x1, xRow, out0, out1, outRow] = numbers
      const loop: Loop<[x: number, out: number]> = {
        addresses: [from + 4 * offsets[0], address + 4 * offsets[1]],
        sizes: [n0, n1, rows, columns],
        steps: [
          [x0, x1, xRow, 1],
          [out0, out1, 1, outRow],
        ],
        grains: [1, 1, GRAIN, GRAIN],
      }
      shareLoop(backend, 'transpose', loop, (starts, part) => [...starts, ...part, x0, x1, xRow, out0, out1, outRow])
    }
  }
  return info
}

export const transposeKernels: SimdKernels = { Transpose: transpose }
