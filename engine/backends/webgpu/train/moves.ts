import type { LineShader, Table } from '../tables.ts'
import { linesOf, perLine, THREADS, tableSizeOf } from '../wgsl/sumParts.ts'

/** Elements of a line. */
const BLOCK = 4 * THREADS

/** Numbers in the table of moves of such sizes. */
export function movesTableSize(sizes: number[]): number {
  return Math.max(1, tableSizeOf(sizes, BLOCK))
}

/** Values that are copied, or added up over the parts of a batch. */
export interface Move {
  from: number
  to: number
  size: number
  adds: boolean
}

/**
 * One dispatch for many moves, by a table: a copy, or `to + from * share`, where the first part of a batch
 * finds nothing in `to`. The step's numbers say which part it is.
 */
export function moves(all: Move[]): LineShader & Table {
  const lines = linesOf(
    all.map(({ from, to, size, adds }) => ({ numbers: [from, to, size, adds ? 1 : 0], size })),
    BLOCK,
  )
  const main = `  let source = u32(loadInt(at));
  let to = u32(loadInt(at + 1u));
  let start = u32(loadInt(at + 4u));
  let end = min(u32(loadInt(at + 2u)), start + ${BLOCK}u);
  for (var i = start + thread; i < end; i += ${THREADS}u) {
    var x = load(source + i);
    if (loadInt(at + 3u) != 0) { x = select(load(to + i), 0.0f, ofStep(1u).x == 0u) + x * bitcast<f32>(ofStep(1u).y); }
    store(to + i, x);
  }`
  return perLine(`moves ${all.length}`, lines, main, (values, at, place) => {
    const first = values[at + 4] as number
    const length = Math.min(BLOCK, (values[at + 2] as number) - first)
    place(0, (values[at] as number) + first, length)
    place(1, (values[at + 1] as number) + first, length)
  })
}
