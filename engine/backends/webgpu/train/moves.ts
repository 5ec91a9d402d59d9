import type { Dispatch } from '../wgsl/dispatch.ts'
import { grid } from '../wgsl/dispatch.ts'

const THREADS = 256
const LINE = 5

/** Numbers in the table of moves of such sizes. */
export function movesTableSize(sizes: number[]): number {
  return Math.max(
    1,
    sizes.reduce((sum, size) => sum + LINE * Math.ceil(size / THREADS), 0),
  )
}

/** Values that are copied, or added up over the parts of a batch. */
export interface Move {
  from: number
  to: number
  size: number
  adds: boolean
}

/**
 * One dispatch for many moves, told where its table is: a copy, or `to + from * share`, where the first part of a batch
 * finds nothing in `to`. The step's numbers say which part it is.
 */
export function moves(all: Move[]): { dispatch: Dispatch; table: Int32Array } {
  const lines = all.flatMap(({ from, to, size, adds }) =>
    Array.from({ length: Math.ceil(size / THREADS) }, (_, i) => [from, to, size, i * THREADS, adds ? 1 : 0]),
  )
  const { workgroups, number } = grid(lines.length)
  const code = `@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let line = ${number};
  if (line >= ${lines.length}u) { return; }
  let at = places[0].x + line * ${LINE}u;
  let i = u32(ints[at + 3u]) + thread;
  if (i >= u32(ints[at + 2u])) { return; }
  let x = load(u32(ints[at]) + i);
  let to = u32(ints[at + 1u]) + i;
  if (ints[at + 4u] == 0) { store(to, x); return; }
  let before = select(load(to), 0.0f, draws[1].x == 0u);
  store(to, before + x * bitcast<f32>(draws[1].y));
}
`
  return {
    dispatch: { label: `moves ${all.length}`, code, workgroups, places: [] },
    table: Int32Array.from(lines.flat()),
  }
}
