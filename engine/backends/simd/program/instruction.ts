import type { Operation, Use } from '../../../compile/graph.ts'
import type { Exports } from '../binary.ts'
import type { Shared } from '../share.ts'

/** What an instruction reads or writes. */
export type OperandAddress =
  /** The chunk's part of a value, some elements further. */
  | { part: Use; offset?: number }
  /** All of a value, the same for every chunk. */
  | { whole: Use; offset?: number }
  /** Another form of a value, the same for every chunk, which a call makes before the stage begins. */
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
  /** The operands behind these two. */
  numbers: readonly number[]
}

/** A call of a kernel on one chunk, with its operands in their order. */
export interface Instruction {
  kernel: Shared
  operands: (number | OperandAddress)[]
}

/** Into how many chunks of the first axis work is cut, and the kernels, which know what scratch they need. */
export interface Cut {
  chunks: number
  /** Examples. */
  batch: number
  wasm: Exports
}

/** An operation on one chunk, or null where it cannot be cut along the first axis. */
export type Lowering = (operation: Operation, cut: Cut) => Instruction[] | null

/** The addresses among the operands. */
export function addressesOf({ operands }: Instruction): OperandAddress[] {
  return operands.filter((operand) => typeof operand !== 'number')
}

/** The shape of one chunk of an array, or null if its first axis does not divide. */
export function chunkOf(shape: number[], chunks: number): number[] | null {
  const [first, ...rest] = shape
  return first === undefined || first % chunks ? null : [first / chunks, ...rest]
}
