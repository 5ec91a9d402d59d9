import type { Constant, Operation } from '../../../compile/graph.ts'
import { sizeOf } from '../../../compile/graph.ts'
import { outputOf } from './operations.ts'

/** Operations whose values are known before anything runs. */
const VALUES: Record<string, (operation: Operation) => (i: number) => number> = {
  ZerosLike: () => () => 0,
  OnesLike: () => () => 1,
  Fill: ({ attributes }) => {
    const value = Number(attributes.value)
    return () => value
  },
  Range: ({ attributes }) => {
    const { start, step } = attributes as { start: number; step: number }
    return (i) => start + i * step
  },
  LinSpace: ({ attributes }) => {
    const { start, stop, num } = attributes as { start: number; stop: number; num: number }
    return (i) => start + (num > 1 ? (i * (stop - start)) / (num - 1) : 0)
  },
}

/** The operations without those, and these as constants. */
export function created(operations: Operation[]): { operations: Operation[]; constants: Constant[] } {
  const constants: Constant[] = []
  const others = operations.filter((operation) => {
    const values = VALUES[operation.kernel]?.(operation)
    if (!values) return true
    const use = outputOf(operation)
    const length = sizeOf(use)
    const made = use.dtype === 'float32' ? new Float32Array(length) : new Int32Array(length)
    constants.push({ use, values: made.map((_, i) => values(i)) })
    return false
  })
  return { operations: others, constants }
}
