import type { Operation } from '../../../compile/graph.ts'

/** What one dispatch does. */
export interface Step {
  /** An anchor, or the operation element by element whose result is stored. */
  operation: Operation
  /** Operations that follow where the result is, in order. */
  attached: Operation[]
  /** The values that it writes. */
  stores: Set<number>
  /** The values that it reads from memory; whatever else it needs, it computes. */
  loads: Set<number>
  /** Earlier steps have smaller ones. */
  position: number
}
