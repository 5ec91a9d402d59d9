// Calls of kernels that are data, so that any thread can make them. A call is a row of float64: the number of the kernel,
// then its operands, which are all exact as float64.
import { start } from './operands'
import { join, operandsOf } from './pool'
import { KERNELS } from './table'

/** Bytes of a call: the kernel and up to 23 operands. */
export const CALL: usize = 24 << 3

/** Runs `count` calls, which may come in any order and at the same time, by the threads of the pool. */
export function runCalls(pool: usize, calls: usize, count: i32): void {
  store<usize>(operandsOf(pool), calls)
  join(pool, count, runCall)
}

function runCall(operands: usize, number: i32): void {
  makeCall(load<usize>(operands) + <usize>number * CALL)
}

/** Makes the call at that address. */
export function makeCall(call: usize): void {
  unchecked(KERNELS[start(call)])()
}
