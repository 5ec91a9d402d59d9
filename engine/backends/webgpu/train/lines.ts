import type { TrainableParameter, Update } from '../../../compile/training.ts'
import { filled, type Table } from '../tables.ts'

/** Elements that a workgroup changes, and its threads. */
export const [BLOCK, THREADS] = [1024, 256]
/** Numbers of a line of the table. */
export const LINE = 12

/** Where what belongs to a parameter is, in elements. */
export interface Placed {
  trainee: Pick<TrainableParameter, 'trained' | 'decay' | 'scale'>
  size: number
  value: number
  /** Of the slots of the optimizer. */
  memory: number[]
  average: number
  gradient: number
}

/**
 * The table of an update, a line for each block of a parameter: places of value, both slots, average and gradient; size,
 * first element of the block, whether it is trained (1) and decays (2), the bits of its scale; the first line of its
 * parameter and how many lines that has; and where the block's own scratch is.
 */
export function linesOf(placed: Placed[], scratch: number): Float64Array {
  let lines = 0
  return filled(LINE, lineCount(placed.map(({ size }) => size)), (add) => {
    for (const { trainee, size, value, memory, average, gradient } of placed) {
      const { trained, decay, scale } = trainee
      const [bits] = new Int32Array(Float32Array.of(scale).buffer) as unknown as [number]
      const flags = (trained ? 1 : 0) + (decay ? 2 : 0)
      const [one = 0, two = 0] = memory
      const first = lines
      const count = Math.ceil(size / BLOCK)
      for (let i = 0; i < count; i++) {
        add(value, one, two, average, gradient, size, i * BLOCK, flags, bits, first, count, scratch + lines * BLOCK)
        lines++
      }
    }
  })
}

/** The places of floats that a line names; 0 stands for none. */
export const visitLine: Table['visit'] = (values, at, place) => {
  const first = values[at + 6] as number
  const length = Math.min(BLOCK, (values[at + 5] as number) - first)
  for (let column = 0; column < 5; column++) {
    const offset = values[at + column] as number
    if (offset !== 0) place(column, offset + first, length)
  }
  place(11, values[at + 11] as number, length)
}

export function lineCount(sizes: number[]): number {
  return sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK), 0)
}

/** Slots of an optimizer. */
export const SLOTS: Record<Update['kernel'], number> = { AdamWUpdate: 2, LambUpdate: 2, SgdUpdate: 1 }

/** Whether the update needs the global norm of the gradients. */
export function needsNorm({ kernel, clip, options }: Update): boolean {
  return clip > 0 || (kernel === 'LambUpdate' && Number(options.maxGradNorm) > 0)
}
