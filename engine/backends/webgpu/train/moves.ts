import type { Table } from '../tables.ts'
import { perLine, THREADS, tableSizeOf } from '../wgsl/sumParts.ts'

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
export function moves(all: Move[]): Table {
  const lines = all.flatMap(({ from, to, size, adds }) =>
    Array.from({ length: Math.ceil(size / BLOCK) }, (_, i) => [from, to, size, i * BLOCK, adds ? 1 : 0]),
  )
  const main = `  let source = u32(loadInt(at));
  let to = u32(loadInt(at + 1u));
  let start = u32(loadInt(at + 3u));
  let end = min(u32(loadInt(at + 2u)), start + ${BLOCK}u);
  for (var i = start + thread; i < end; i += ${THREADS}u) {
    var x = load(source + i);
    if (loadInt(at + 4u) != 0) { x = select(load(to + i), 0.0f, ofStep(1u).x == 0u) + x * bitcast<f32>(ofStep(1u).y); }
    store(to + i, x);
  }`
  return perLine(`moves ${all.length}`, lines, main, (line) => {
    const [from, to, size, first] = line as [number, number, number, number]
    const length = Math.min(BLOCK, size - first)
    return [
      { column: 0, offset: from + first, size: length },
      { column: 1, offset: to + first, size: length },
    ]
  })
}
