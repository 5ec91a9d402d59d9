import { filled, LINE_OF, type LineShader, type Table } from '../tables.ts'
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
export function sumParts(sums: Parts[]): LineShader & Table {
  const lines = linesOf(
    sums.map(({ from, to }) => ({ numbers: [from.offset, to.offset, to.size, from.size / to.size], size: to.size })),
    THREADS,
  )
  const main = `  let size = u32(loadInt(at + 2u));
  let i = u32(loadInt(at + 4u)) + thread;
  if (i >= size) { return; }
  let parts = u32(loadInt(at + 3u));
  let first = u32(loadInt(at)) + i;
  var sum = 0.0f;
  for (var part = 0u; part < parts; part++) { sum += load(first + part * size); }
  store(u32(loadInt(at + 1u)) + i, sum);`
  return perLine(`sums of parts ${sums.length}`, lines, main, (values, at, place) => {
    const [size, parts, first] = [values[at + 2], values[at + 3], values[at + 4]] as [number, number, number]
    const length = Math.min(THREADS, size - first)
    place(0, (values[at] as number) + first, (parts - 1) * size + length)
    place(1, (values[at + 1] as number) + first, length)
  })
}

/** Lines of some numbers each, and of the first element of the line, `block` elements a line. */
export function linesOf(all: { numbers: number[]; size: number }[], block: number): Float64Array {
  const count = all.reduce((sum, { size }) => sum + Math.ceil(size / block), 0)
  return filled(LINE, count, (add) => {
    for (const { numbers, size } of all) for (let i = 0; i < size; i += block) add(...numbers, i)
  })
}

/** A table whose shader has its line from `at` on. */
export function perLine(label: string, values: Float64Array, main: string, visit: Table['visit']): LineShader & Table {
  const whole = `  ${LINE_OF}
  if (number >= lines) { return; }
  let at = table + number * ${LINE}u;
${main}`
  return { label, code: entry(THREADS, whole), width: LINE, values, visit, also: [] }
}
