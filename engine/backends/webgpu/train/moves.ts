import type { Dispatch } from '../wgsl/dispatch.ts'
import { perLine, THREADS, tableSizeOf } from '../wgsl/sumParts.ts'

/** Numbers in the table of moves of such sizes. */
export function movesTableSize(sizes: number[]): number {
  return Math.max(1, tableSizeOf(sizes.map((size) => ({ size }))))
}

/** Values that are copied, or added up over the parts of a batch. */
export interface Move {
  from: number
  to: number
  size: number
  adds: boolean
}

/**
 * One dispatch for many moves, whose uniforms say where its table is: a copy, or `to + from * share`, where the first part of a batch
 * finds nothing in `to`. The step's numbers say which part it is.
 */
export function moves(all: Move[]): { dispatch: Dispatch; table: Int32Array } {
  const lines = all.flatMap(({ from, to, size, adds }) =>
    Array.from({ length: Math.ceil(size / THREADS) }, (_, i) => [from, to, size, i * THREADS, adds ? 1 : 0]),
  )
  const main = `  let i = u32(ints[at + 3u]) + thread;
  if (i >= u32(ints[at + 2u])) { return; }
  let x = load(u32(ints[at]) + i);
  let to = u32(ints[at + 1u]) + i;
  if (ints[at + 4u] == 0) { store(to, x); return; }
  let before = select(load(to), 0.0f, draws[1].x == 0u);
  store(to, before + x * bitcast<f32>(draws[1].y));`
  return perLine(`moves ${all.length}`, lines, main)
}
