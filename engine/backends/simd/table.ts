import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from './backend.ts'

/** Elements in a row at most: whatever the number of threads, and so sums come out the same. A multiple of 4. */
const PIECE = 4096

/** 32-bit words of the scalars and of a row; see assembly/optimizers.ts. */
const SCALARS = 8
const ROW = 10
const [ELEMENTS, FACTOR, SUMS] = [4, 5, 6]

/** The order of KERNELS in assembly/tableParts.ts. */
const OPS = ['squares', 'scale', 'average', 'sgd', 'adamw', 'lambMoments', 'lambStep'] as const

/** Tensors that kernels go through together. */
export interface TensorTable {
  /** Runs a kernel on all tensors, with its scalars. */
  run(op: (typeof OPS)[number], scalars?: number[]): void
  /** What the last kernel summed over tensor `i`; `which` of two sums. */
  sum(i: number, which?: 0 | 1): number
  /** A number for the next kernel, in place of the first sum of tensor `i`. */
  put(i: number, value: number): void
}

/**
 * Runs `body` with a table of tensors: tensor i has its values in each of one to four columns, all float32 of the same
 * size, and maybe a factor. A row is a piece of a tensor.
 */
export function withTable<T>(
  backend: SimdBackend,
  columns: TensorInfo[][],
  factors: number[],
  body: (table: TensorTable) => T,
): T {
  const sizes = (columns[0] ?? []).map(({ shape }) => util.sizeFromShape(shape))
  const addresses = columns.map((column) => column.map((tensor) => backend.address(tensor)))
  const firsts = [0] // row of each tensor, and of the end
  for (const size of sizes) firsts.push((firsts.at(-1) as number) + Math.ceil(size / PIECE))
  const rows = firsts.at(-1) as number
  const tasks = backend.parts(sizes.reduce((sum, size) => sum + size, 0))
  const words = SCALARS + ROW * rows
  return backend.withScratch(4 * words, (address) => {
    const integers = new Int32Array(backend.buffer, address, words)
    const floats = new Float32Array(backend.buffer, address, words)
    const doubles = new Float64Array(backend.buffer, address, words / 2)
    const rowsOf = (i: number) => [firsts[i] as number, firsts[i + 1] as number] as const
    const sumAt = (row: number) => (SCALARS + ROW * row + SUMS) / 2

    for (const [i, size] of sizes.entries()) {
      let at = SCALARS + ROW * (firsts[i] as number)
      for (let from = 0; from < size; from += PIECE, at += ROW) {
        for (let c = 0; c < addresses.length; c++) integers[at + c] = (addresses[c]?.[i] as number) + 4 * from
        integers[at + ELEMENTS] = Math.min(PIECE, size - from)
        floats[at + FACTOR] = factors[i] ?? 0
      }
    }
    return body({
      run: (op, scalars = []) => {
        floats.set(scalars)
        backend.wasm.tableParts(backend.pool.address, tasks, OPS.indexOf(op), address, rows)
      },
      sum: (i, which = 0) => {
        const [first, end] = rowsOf(i)
        let sum = 0
        for (let row = first; row < end; row++) sum += doubles[sumAt(row) + which] as number
        return sum
      },
      put: (i, value) => {
        const [first, end] = rowsOf(i)
        for (let row = first; row < end; row++) doubles[sumAt(row)] = value
      },
    })
  })
}
