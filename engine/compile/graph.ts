import type { BackendValues, DataType, NamedAttrMap } from '@tensorflow/tfjs-core'
import type { Mask } from '../random.ts'

/** A value as an operation sees it; a reshape is another use of the same value. */
export interface Use {
  value: number
  shape: number[]
  dtype: DataType
}

/** One operation, named as its tfjs kernel. */
export interface Operation {
  kernel: string
  attributes: NamedAttrMap
  /** By the names of the kernel. */
  inputs: Record<string, Use>
  outputs: Use[]
}

/** A value that code computes anew for every step, such as a mask of stochastic depth. */
export interface Draw {
  use: Use
  values(step: number): Float32Array
  /** How a backend can draw the same values by itself. */
  source?: Mask | undefined
  /** Whether `use` has the values of one part of a batch, out of those of all its examples; see parts.ts. */
  ofPart?: true
}

export interface Constant {
  use: Use
  values: BackendValues
}

/** What a function of tensors does, as operations in an order in which they can run. */
export interface Graph {
  /** Values are numbered from 0 to here. */
  values: number
  operations: Operation[]
  /** Index of the first operation of the backward pass. */
  backward: number
  inputs: Record<string, Use>
  constants: Constant[]
  draws: Draw[]
  outputs: Record<string, Use>
}

/** Elements. */
export function sizeOf({ shape }: Use): number {
  return shape.reduce((size, n) => size * n, 1)
}

/** Whether all values are the same, bit for bit but for the sign of a zero; NaN is none. */
export function isUniform(values: ArrayLike<number>): boolean {
  const first = values[0] // compared in a loop of numbers, since ones and zeros can be as many as activations
  for (let i = 1; i < values.length; i++) if (values[i] !== first) return false
  return values.length > 0 && !Number.isNaN(first)
}

/** The operations that read each value, in their order. */
export function readersOf(operations: readonly Operation[]): Map<number, Operation[]> {
  const readers = new Map<number, Operation[]>()
  for (const operation of operations) {
    for (const { value } of Object.values(operation.inputs)) {
      readers.set(value, [...(readers.get(value) ?? []), operation])
    }
  }
  return readers
}
