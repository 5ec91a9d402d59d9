// Runs stages of a compiled program (see program/program.ts). A stage is a list of instructions on one chunk of the
// batch, done for all chunks by the threads of the pool: what passes between instructions stays in the cache. As float64:
//   stage        chunks, bytes of the stage, address of the arenas, bytes of an arena, address of the free arenas,
//                address of the addresses of the values, chunks of an example or of what is cut like one, bytes up to
//                the instructions of the last of them, then the instructions; without such ones the last is like the others
//   instruction  its bytes, how many addresses, for each [place in the call, value, bytes from example to example, bytes
//                from chunk to chunk of one, bytes from task to task, offset], then a call as in calls.ts in which the
//                addresses are missing
// Value -1 is the arena, memory of the thread for as long as it works on the stage; in place of the address of value -2
// comes 0 in the first chunk of a task, and then 1. Value -3 is what lies behind the stage, words that stay.
import { CALL, makeCall } from './calls'
import { giveRoom, join, operandsOf, share, takeRoom } from './pool'

const HEADER: usize = 8 << 3
/** In place of a value: whether the task has done a chunk before. */
const AGAIN = -2
/** The words behind the stage. */
const WORDS = -3
/** Bytes that describe an address. */
const ADDRESS: usize = 6 << 3

/** Bytes at the start of an arena that belong to the stage: the call that is made. */
export function arenaReserve(): usize {
  return CALL
}

/** Runs all chunks of the stage in `tasks` parts. */
export function runStage(pool: usize, tasks: i32, stage: usize): void {
  store<usize>(operandsOf(pool), stage)
  store<i32>(operandsOf(pool), tasks, 4)
  join(pool, tasks, stagePart)
}

function stagePart(at: usize, task: i32): void {
  const stage = load<usize>(at)
  const tasks = load<i32>(at, 4)
  const chunks = word(stage)
  const number = takeRoom(word(stage + 32))
  const arena = arenaOf(stage, number)
  const end = stage + word(stage + 8)
  const pieces = word(stage + 48)
  const rest = stage + word(stage + 56)
  const from = share(chunks, task, tasks, 1)
  const to = share(chunks, task + 1, tasks, 1)
  for (let chunk = from; chunk < to; chunk++) {
    const example = chunk / pieces
    const piece = chunk % pieces
    const isRest = rest < end && piece == pieces - 1
    const stop = isRest ? end : rest
    for (let at = isRest ? rest : stage + HEADER; at < stop; at += word(at)) {
      run(at, stage, example, piece, task, chunk > from, arena)
    }
  }
  giveRoom(word(stage + 32), number)
}

/** Runs each instruction of a stage once, as if it had one chunk; they may run at the same time. */
export function runEach(pool: usize, tasks: i32, stage: usize): void {
  store<usize>(operandsOf(pool), stage)
  join(pool, tasks, eachPart)
}

function eachPart(at: usize, task: i32): void {
  const stage = load<usize>(at)
  let instruction = stage + HEADER
  for (let i = 0; i < task; i++) instruction += word(instruction)
  const number = takeRoom(word(stage + 32))
  run(instruction, stage, 0, 0, 0, false, arenaOf(stage, number))
  giveRoom(word(stage + 32), number)
}

function run(at: usize, stage: usize, example: i32, piece: i32, task: i32, again: bool, arena: usize): void {
  const values = <usize>word(stage + 40)
  const end = at + word(at)
  let address = at + 16
  const call = address + <usize>word(at + 8) * ADDRESS
  memory.copy(arena, call, end - call)
  for (; address < call; address += ADDRESS) {
    const value = word(address + 8)
    const place = arena + ((<usize>word(address)) << 3)
    if (value == AGAIN) {
      store<f64>(place, <f64>again)
      continue
    }
    let base = arena
    if (value == WORDS) base = stage + word(stage + 8)
    else if (value >= 0) base = load<usize>(values + ((<usize>value) << 2))
    let offset = <f64>example * load<f64>(address, 16) + <f64>piece * load<f64>(address, 24)
    offset += <f64>task * load<f64>(address, 32) + load<f64>(address, 40)
    store<f64>(place, <f64>base + offset)
  }
  makeCall(arena)
}

@inline
function word(at: usize): i32 {
  return <i32>(<i64>load<f64>(at))
}

function arenaOf(stage: usize, number: i32): usize {
  return <usize>word(stage + 16) + <usize>number * <usize>word(stage + 24)
}
