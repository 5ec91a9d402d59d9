import { LINE_OF, type Table } from '../tables.ts'
import { entry } from './entry.ts'

export const THREADS = 256
/** Numbers of a line of the table. */
const LINE = 5

/** Sums of parts that lie one after the other. */
export interface Parts {
  from: { offset: number; size: number }
  to: { offset: number; size: number }
}

/** Numbers in a table for so many elements, `block` of them a line. */
export function tableSizeOf(sizes: number[], block = THREADS): number {
  return sizes.reduce((total, size) => total + LINE * Math.ceil(size / block), 0)
}

/** One dispatch for many sums, whose table says where they are, 256 elements a line. */
export function sumParts(sums: Parts[]): Table {
  const lines = sums.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil(to.size / THREADS) }, (_, i) => {
      return [from.offset, to.offset, to.size, from.size / to.size, i * THREADS]
    }),
  )
  const main = `  let size = u32(loadInt(at + 2u));
  let i = u32(loadInt(at + 4u)) + thread;
  if (i >= size) { return; }
  let parts = u32(loadInt(at + 3u));
  let first = u32(loadInt(at)) + i;
  var sum = 0.0f;
  for (var part = 0u; part < parts; part++) { sum += load(first + part * size); }
  store(u32(loadInt(at + 1u)) + i, sum);`
  return perLine(`sums of parts ${sums.length}`, lines, main, (line) => {
    const [from, to, size, parts, first] = line as [number, number, number, number, number]
    const length = Math.min(THREADS, size - first)
    return [
      { column: 0, offset: from + first, size: (parts - 1) * size + length },
      { column: 1, offset: to + first, size: length },
    ]
  })
}

/** A table whose shader has its line from `at` on. */
export function perLine(label: string, lines: number[][], main: string, spans: Table['spans']): Table {
  const whole = `  ${LINE_OF}
  if (number >= lines) { return; }
  let at = table + number * ${LINE}u;
${main}`
  const code = entry(THREADS, whole)
  return { label, code, lines, spans, also: [] }
}
