import type { Dispatch } from './dispatch.ts'
import { grid } from './dispatch.ts'

export const THREADS = 256
/** Numbers of a line of the table. */
const LINE = 5

/** Sums of parts that lie one after the other. */
export interface Parts {
  from: { offset: number; size: number }
  to: { offset: number; size: number }
}

/** Numbers in the table of such sums. */
export function tableSizeOf(sums: { size: number }[]): number {
  return sums.reduce((total, { size }) => total + LINE * Math.ceil(size / THREADS), 0)
}

/** One dispatch for many sums; the table, whose place is a uniform, says where they are, 256 elements a line. */
export function sumParts(sums: Parts[]): { dispatch: Dispatch; table: Int32Array } {
  const lines = sums.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil(to.size / THREADS) }, (_, i) => {
      return [from.offset, to.offset, to.size, from.size / to.size, i * THREADS]
    }),
  )
  const main = `  let size = u32(ints[at + 2u]);
  let i = u32(ints[at + 4u]) + thread;
  if (i >= size) { return; }
  let parts = u32(ints[at + 3u]);
  let first = u32(ints[at]) + i;
  var sum = 0.0f;
  for (var part = 0u; part < parts; part++) { sum += load(first + part * size); }
  store(u32(ints[at + 1u]) + i, sum);`
  return perLine(`sums of parts ${sums.length}`, lines, main)
}

/**
 * A dispatch with a workgroup for each line of a table. The uniforms say where the table is; `main` finds its line from
 * `at` on.
 */
export function perLine(label: string, lines: number[][], main: string): { dispatch: Dispatch; table: Int32Array } {
  const { workgroups, number } = grid(lines.length)
  const code = `@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let line = ${number};
  if (line >= ${lines.length}u) { return; }
  let at = places[0].x + line * ${LINE}u;
${main}
}
`
  return { dispatch: { label, code, workgroups, places: [] }, table: Int32Array.from(lines.flat()) }
}
