import { batchMatmul, matmulRows } from './matmul'

// A pool that the caller joins. Its state is one block of memory:
//   0  the job: number of the job in the upper half, tasks not yet claimed in the lower
//   8  tasks that are finished
//  12  1 when the threads are to end
//  16  operands of the job
// A task is claimed by one compare-and-swap on the job, so that a thread that comes late can never run a task of one job
// with the operands of the next.
const FINISHED: usize = 8
const STOP: usize = 12
const OPERANDS: usize = 16

/** Looks at the finished tasks so often before it sleeps. */
const SPINS: i32 = 20_000

/** What a thread runs: takes tasks of whatever job there is, and sleeps when there is none. Returns at the end. */
export function serve(pool: usize): void {
  while (!atomic.load<i32>(pool + STOP)) {
    const job = atomic.load<i64>(pool)
    if (!claim(pool, job)) atomic.wait<i64>(pool, job, -1)
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
  runTask(pool + OPERANDS, left - 1)
  atomic.add<i32>(pool + FINISHED, 1)
  atomic.notify(pool + FINISHED, 1)
  return true
}

/** Publishes a job of `tasks` tasks, helps with it and returns when all of them are finished. */
function join(pool: usize, tasks: i32): void {
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

/**
 * `batchMatmul` in `tasks` parts, of the samples or else of the rows; the numbers do not depend on how many. `scratch`
 * has room for each part.
 */
export function batchMatmulParts(
  pool: usize,
  tasks: i32,
  a: usize,
  b: usize,
  out: usize,
  batch: i32,
  aStep: i32,
  bStep: i32,
  m: i32,
  k: i32,
  n: i32,
  transA: i32,
  transB: i32,
  bias: usize,
  scratch: usize,
  scratchStep: i32,
): void {
  const at = pool + OPERANDS
  store<i32>(at, tasks, 0)
  store<usize>(at, a, 4)
  store<usize>(at, b, 8)
  store<usize>(at, out, 12)
  store<i32>(at, batch, 16)
  store<i32>(at, aStep, 20)
  store<i32>(at, bStep, 24)
  store<i32>(at, m, 28)
  store<i32>(at, k, 32)
  store<i32>(at, n, 36)
  store<i32>(at, transA, 40)
  store<i32>(at, transB, 44)
  store<usize>(at, bias, 48)
  store<usize>(at, scratch, 52)
  store<i32>(at, scratchStep, 56)
  join(pool, tasks)
}

/** Part `task` of the product whose operands are at `at`. */
function runTask(at: usize, task: i32): void {
  const tasks = load<i32>(at, 0)
  const a = load<usize>(at, 4)
  const b = load<usize>(at, 8)
  const out = load<usize>(at, 12)
  const batch = load<i32>(at, 16)
  const aStep = load<i32>(at, 20)
  const bStep = load<i32>(at, 24)
  const m = load<i32>(at, 28)
  const k = load<i32>(at, 32)
  const n = load<i32>(at, 36)
  const transA = load<i32>(at, 40)
  const transB = load<i32>(at, 44)
  const bias = load<usize>(at, 48)
  const scratch = load<usize>(at, 52) + task * load<i32>(at, 56)
  if (batch >= tasks) {
    const from = share(batch, task, tasks, 1)
    const size = share(batch, task + 1, tasks, 1) - from
    const left = a + ((from * aStep) << 2)
    const right = b + ((from * bStep) << 2)
    batchMatmul(left, right, out + ((from * m * n) << 2), size, aStep, bStep, m, k, n, transA, transB, bias, scratch)
    return
  }
  const from = share(m, task, tasks, 6)
  const to = share(m, task + 1, tasks, 6)
  if (from < to) matmulRows(a, b, out, batch, aStep, bStep, m, k, n, transA, transB, bias, scratch, from, to)
}

/** Where part `task` of `size` begins, in multiples of `grain`. */
function share(size: i32, task: i32, tasks: i32, grain: i32): i32 {
  const grains = (size + grain - 1) / grain
  return min(size, ((grains * task) / tasks) * grain)
}
