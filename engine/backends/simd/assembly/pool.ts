// A pool that the caller joins. Its state is one block of memory:
//   0  the job: number of the job in the upper half, tasks not yet claimed in the lower
//   8  tasks that are finished
//  12  1 when the threads are to end
//  16  the function that runs a task, as its number in the table, which all threads share
//  24  operands of the job
// A task is claimed by one compare-and-swap on the job, so that a thread that comes late can never run a task of one job
// with the operands of the next.
const FINISHED: usize = 8
const STOP: usize = 12
const TASK: usize = 16
const OPERANDS: usize = 24

/** Looks so often for what it waits for, some 50 microseconds, before it sleeps: to be woken up takes as long. */
const SPINS: i32 = 60_000

/** What a thread runs: takes tasks of whatever job there is, and sleeps when there is none. Returns at the end. */
export function serve(pool: usize): void {
  for (let idle = 0; !atomic.load<i32>(pool + STOP); idle++) {
    const job = atomic.load<i64>(pool)
    if (claim(pool, job)) idle = 0
    else if (idle > SPINS) atomic.wait<i64>(pool, job, -1)
  }
}

/** Ends all threads that serve the pool. */
export function stopPool(pool: usize): void {
  atomic.store<i32>(pool + STOP, 1)
  atomic.add<i64>(pool, 1 << 32) // a change, so that no thread falls asleep on what it saw before
  atomic.notify(pool, -1)
}

/** Claims and runs one task of the job that was seen. False if there is none, or if another thread was faster. */
function claim(pool: usize, job: i64): bool {
  const left = <i32>job
  if (left <= 0) return false
  if (atomic.cmpxchg<i64>(pool, job, job - 1) != job) return true
  call_indirect<void>(load<u32>(pool + TASK), pool + OPERANDS, left - 1)
  atomic.add<i32>(pool + FINISHED, 1)
  if (<i32>atomic.load<i64>(pool) <= 0) atomic.notify(pool + FINISHED, 1) // it may have been the last
  return true
}

/** Where the operands of the next job go. */
@inline
export function operandsOf(pool: usize): usize {
  return pool + OPERANDS
}

/**
 * Runs `task(operands, 0)` to `task(operands, tasks - 1)` by all threads: publishes the job, helps with it and returns
 * when all tasks are finished.
 */
export function join(pool: usize, tasks: i32, task: (operands: usize, number: i32) => void): void {
  store<u32>(pool + TASK, load<u32>(changetype<usize>(task)))
  atomic.store<i32>(pool + FINISHED, 0)
  const number = (atomic.load<i64>(pool) >> 32) + 1
  atomic.store<i64>(pool, (number << 32) | tasks)
  atomic.notify(pool, -1)
  while (<i32>atomic.load<i64>(pool) > 0) claim(pool, atomic.load<i64>(pool))
  for (let spin = 0; ; spin++) {
    const finished = atomic.load<i32>(pool + FINISHED)
    if (finished == tasks) return
    if (spin > SPINS) atomic.wait<i32>(pool + FINISHED, finished, 1_000_000)
  }
}

/** Where part `task` of `size` begins, in multiples of `grain`. */
export function share(size: i32, task: i32, tasks: i32, grain: i32): i32 {
  const grains = (size + grain - 1) / grain
  return min(size, <i32>((<i64>grains * task) / tasks) * grain)
}

/** Takes a room, a piece of memory of which there is one for each thread, and returns its number; the bit of a free one is 1. */
export function takeRoom(free: usize): i32 {
  let bits = atomic.load<u32>(free)
  while (true) {
    const number = <i32>ctz(bits)
    const seen = atomic.cmpxchg<u32>(free, bits, bits & ~(<u32>1 << number))
    if (seen == bits) return number
    bits = seen
  }
}

export function giveRoom(free: usize, number: i32): void {
  atomic.or<u32>(free, <u32>1 << number)
}
