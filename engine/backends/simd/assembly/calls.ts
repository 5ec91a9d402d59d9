// Calls of kernels that are data, so that any thread can make them. A call is a row of float64: the number of the kernel,
// then its operands, which are all exact as float64.
import { start } from './operands'
import { giveRoom, join, operandsOf, takeRoom } from './pool'
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

/** Bytes in front of the rooms, for the word of the free ones. */
const LINE: usize = 64

/** `runCalls` of calls that get a room of so many bytes while they run: its address is their operand number `operand`. */
export function runCallsInRooms(pool: usize, calls: usize, count: i32, rooms: usize, bytes: usize, operand: i32): void {
  store<usize>(operandsOf(pool), calls)
  store<usize>(operandsOf(pool), rooms, 4)
  store<usize>(operandsOf(pool), bytes, 8)
  store<i32>(operandsOf(pool), operand, 12)
  join(pool, count, runCallInRoom)
}

function runCallInRoom(operands: usize, number: i32): void {
  const call = load<usize>(operands) + <usize>number * CALL
  const rooms = load<usize>(operands, 4)
  const room = takeRoom(rooms)
  const place = call + ((<usize>load<i32>(operands, 12) + 1) << 3)
  store<f64>(place, <f64>(rooms + LINE + <usize>room * load<usize>(operands, 8)))
  makeCall(call)
  giveRoom(rooms, room)
}

/** Makes the call at that address. */
export function makeCall(call: usize): void {
  unchecked(KERNELS[start(call)])()
}
