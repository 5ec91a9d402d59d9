// Kernels whose elements or rows do not depend on each other, in parts for the threads of the pool.
import { gelu, geluGrad } from './gelu'
import { normalize, normalizeGrad } from './normalize'
import { join, operandsOf, share } from './pool'

/** Elements of a part begin on a multiple of this, a cache line. */
const GRAIN: i32 = 16

/** `gelu` in `tasks` parts. */
export function geluParts(pool: usize, tasks: i32, x: usize, out: usize, size: i32): void {
  const at = operandsOf(pool)
  store<i32>(at, tasks, 0)
  store<i32>(at, size, 4)
  store<usize>(at, x, 8)
  store<usize>(at, out, 12)
  join(pool, tasks, geluPart)
}

function geluPart(at: usize, task: i32): void {
  const from = share(load<i32>(at, 4), task, load<i32>(at, 0), GRAIN)
  const to = share(load<i32>(at, 4), task + 1, load<i32>(at, 0), GRAIN)
  const offset = (<usize>from) << 2
  gelu(load<usize>(at, 8) + offset, load<usize>(at, 12) + offset, to - from)
}

/** `geluGrad` in `tasks` parts. */
export function geluGradParts(pool: usize, tasks: i32, dy: usize, x: usize, out: usize, size: i32): void {
  const at = operandsOf(pool)
  store<i32>(at, tasks, 0)
  store<i32>(at, size, 4)
  store<usize>(at, dy, 8)
  store<usize>(at, x, 12)
  store<usize>(at, out, 16)
  join(pool, tasks, geluGradPart)
}

function geluGradPart(at: usize, task: i32): void {
  const from = share(load<i32>(at, 4), task, load<i32>(at, 0), GRAIN)
  const to = share(load<i32>(at, 4), task + 1, load<i32>(at, 0), GRAIN)
  const offset = (<usize>from) << 2
  geluGrad(load<usize>(at, 8) + offset, load<usize>(at, 12) + offset, load<usize>(at, 16) + offset, to - from)
}

/** `normalize` in `tasks` parts. */
export function normalizeParts(
  pool: usize,
  tasks: i32,
  x: usize,
  out: usize,
  scale: usize,
  rows: i32,
  dim: i32,
  eps: f64,
): void {
  const at = operandsOf(pool)
  store<i32>(at, tasks, 0)
  store<i32>(at, rows, 4)
  store<usize>(at, x, 8)
  store<usize>(at, out, 12)
  store<usize>(at, scale, 16)
  store<i32>(at, dim, 20)
  store<f64>(at, eps, 24)
  join(pool, tasks, normalizePart)
}

function normalizePart(at: usize, task: i32): void {
  const from = share(load<i32>(at, 4), task, load<i32>(at, 0), 1)
  const to = share(load<i32>(at, 4), task + 1, load<i32>(at, 0), 1)
  const dim = load<i32>(at, 20)
  const offset = (<usize>from * dim) << 2
  const scale = load<usize>(at, 16) + ((<usize>from) << 2)
  normalize(load<usize>(at, 8) + offset, load<usize>(at, 12) + offset, scale, to - from, dim, load<f64>(at, 24))
}

/** `normalizeGrad` in `tasks` parts. */
export function normalizeGradParts(
  pool: usize,
  tasks: i32,
  dy: usize,
  y: usize,
  scale: usize,
  out: usize,
  rows: i32,
  dim: i32,
): void {
  const at = operandsOf(pool)
  store<i32>(at, tasks, 0)
  store<i32>(at, rows, 4)
  store<usize>(at, dy, 8)
  store<usize>(at, y, 12)
  store<usize>(at, scale, 16)
  store<usize>(at, out, 20)
  store<i32>(at, dim, 24)
  join(pool, tasks, normalizeGradPart)
}

function normalizeGradPart(at: usize, task: i32): void {
  const from = share(load<i32>(at, 4), task, load<i32>(at, 0), 1)
  const to = share(load<i32>(at, 4), task + 1, load<i32>(at, 0), 1)
  const dim = load<i32>(at, 24)
  const offset = (<usize>from * dim) << 2
  const scale = load<usize>(at, 16) + ((<usize>from) << 2)
  const dy = load<usize>(at, 8) + offset
  const y = load<usize>(at, 12) + offset
  const out = load<usize>(at, 20) + offset
  normalizeGrad(dy, y, scale, out, to - from, dim)
}
