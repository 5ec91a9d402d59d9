import type { Operation, Use } from '../../../compile/graph.ts'
import type { Exports } from '../binary.ts'
import type { Shared } from '../share.ts'

/** What an instruction reads or writes. */
export type OperandAddress =
  /** The chunk's part of a value, some elements further. */
  | { part: Use; offset?: number }
  /** All of a value, the same for every chunk. */
  | { whole: Use; offset?: number }
  /** Of chunks of rows: the same rows of a value that all examples share. */
  | { rows: Use; offset?: number }
  /** Of chunks of rows: all rows of their example. */
  | { example: Use; offset?: number }
  /** Another form of a value, the same for every chunk or example, which calls make before the stage begins. */
  | { packed: Use; by: Packer }
  /** The part of a value that belongs to a group of chunks. */
  | { group: Use }
  /** Not an address: 0 in the first chunk of a group, 1 in the others. */
  | { again: true }
  /** Scratch memory of so many bytes. */
  | { scratch: number }
  /** Words of 32 bits that stay. */
  | { words: readonly number[] }

/** A call that makes another form of a value, of so many elements: it reads the value some elements further, and writes the form. */
export interface Packer {
  kernel: Shared
  size: number
  offset?: number
  /** Whether each example has a form of its own. */
  byExample?: boolean
  /** The operands behind these two. */
  numbers: readonly number[]
}

/** A call of a kernel on one chunk, with its operands in their order. */
export interface Instruction {
  kernel: Shared
  operands: (number | OperandAddress)[]
}

/** Into how many chunks work is cut, and the kernels, which know what scratch they need. A chunk is a piece of each value. */
export interface Cut {
  chunks: number
  /** Examples. */
  batch: number
  /** Where chunks are rows of an example: few examples would not be enough for all threads. */
  rows?: Rows
  wasm: Exports
}

/** Rows of an example that has `tokens` of them: those of a chunk, and of all chunks of the example but the last. */
export interface Rows {
  tokens: number
  own: number
  each: number
}

/** An operation on one chunk, or null where it cannot be cut so. */
export type Lowering = (operation: Operation, cut: Cut) => Instruction[] | null

/** The addresses among the operands. */
export function addressesOf({ operands }: Instruction): OperandAddress[] {
  return operands.filter((operand) => typeof operand !== 'number')
}

/** How much of `size` belongs to a chunk, or null if that is no whole number. */
export function partOf(size: number, { chunks, batch, rows }: Cut): number | null {
  const part = rows ? (size * rows.own) / (batch * rows.tokens) : size / chunks
  return Number.isInteger(part) && part > 0 ? part : null
}

/** The same of the last chunk of an example, where that has fewer rows. */
export function restOf(cut: Cut): Cut | null {
  const { rows } = cut
  const own = rows ? rows.tokens % rows.each : 0
  return rows && own > 0 ? { ...cut, rows: { ...rows, own } } : null
}

/** The axis of an array that is cut: where chunks are rows, the second behind one of examples. */
export function cutAxis(shape: number[], { batch, rows }: Cut): 0 | 1 {
  return rows && shape.length > 1 && shape[0] === batch ? 1 : 0
}

/** The shape of one chunk of an array, or null if its axis does not divide. */
export function chunkOf(shape: number[], cut: Cut): number[] | null {
  const axis = cutAxis(shape, cut)
  const part = shape[axis] === undefined ? null : partOf(shape[axis] * (axis === 1 ? cut.batch : 1), cut)
  return part === null ? null : shape.map((size, i) => (i < axis ? 1 : i === axis ? part : size))
}
