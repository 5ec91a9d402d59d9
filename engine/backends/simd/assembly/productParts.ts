import { batchMatmul, matmulRows } from './matmul'
import { join, operandsOf, share } from './pool'

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
  const at = operandsOf(pool)
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
  join(pool, tasks, productPart)
}

/** Part `task` of the product whose operands are at `at`. */
function productPart(at: usize, task: i32): void {
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
