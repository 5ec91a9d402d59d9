// Kernels over many tensors at once. Their elements are in a table, a row for each piece of a tensor; what kernels do
// with a row does not depend on other rows, and rows are the same whatever the number of threads. Before the rows come
// the scalars, 32 bytes of float32.
import { join, operandsOf, share } from './pool'
import { adamw, average, lambMoments, lambStep, ROW, scale, sgd, squares } from './optimizers'

const SCALARS: usize = 32

/** The order of OPS in table.ts. */
const KERNELS: StaticArray<(row: usize, scalars: usize) => void> = [
  squares,
  scale,
  average,
  sgd,
  adamw,
  lambMoments,
  lambStep,
]

/** Runs kernel number `op` on all rows of the table, in `tasks` parts. */
export function tableParts(pool: usize, tasks: i32, op: i32, table: usize, rows: i32): void {
  const at = operandsOf(pool)
  store<i32>(at, tasks, 0)
  store<i32>(at, op, 4)
  store<usize>(at, table, 8)
  store<i32>(at, rows, 12)
  join(pool, tasks, tablePart)
}

function tablePart(at: usize, task: i32): void {
  const table = load<usize>(at, 8)
  const from = share(load<i32>(at, 12), task, load<i32>(at, 0), 1)
  const to = share(load<i32>(at, 12), task + 1, load<i32>(at, 0), 1)
  const kernel = unchecked(KERNELS[load<i32>(at, 4)])
  for (let row = from; row < to; row++) kernel(table + SCALARS + <usize>row * ROW, table)
}
