import type { TrainableParameter, Update } from '../../../compile/training.ts'
import type { Span } from '../pages.ts'

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
export function linesOf(placed: Placed[], scratch: number): number[][] {
  const lines: number[][] = []
  for (const { trainee, size, value, memory, average, gradient } of placed) {
    const { trained, decay, scale } = trainee
    const [bits] = new Int32Array(Float32Array.of(scale).buffer) as unknown as [number]
    const first = lines.length
    const count = Math.ceil(size / BLOCK)
    for (let i = 0; i < count; i++) {
      const flags = (trained ? 1 : 0) + (decay ? 2 : 0)
      const places = [value, memory[0] ?? 0, memory[1] ?? 0, average, gradient, size]
      lines.push([...places, i * BLOCK, flags, bits, first, count, scratch + lines.length * BLOCK])
    }
  }
  return lines
}

/** The places of floats that a line names; 0 stands for none. */
export function spansOf(line: readonly number[]): (Span & { column: number })[] {
  const [size, first] = [line[5] as number, line[6] as number]
  const length = Math.min(BLOCK, size - first)
  const named = [0, 1, 2, 3, 4].filter((column) => line[column] !== 0)
  return [
    ...named.map((column) => ({ column, offset: (line[column] as number) + first, size: length })),
    { column: 11, offset: line[11] as number, size: length },
  ]
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
