import { MixlabError } from '../../errors.ts'
import type { FileSource } from '../files.ts'
import { checkIndices } from '../indices.ts'
import type { Pool, TextBatch } from '../types.ts'
import { readPart } from './files.ts'
import { firstLine } from './lines.ts'
import type { TsvRows } from './tsv-rows.ts'

/** Rows that are at most this many bytes apart are read at once. */
const GAP = 16 * 2 ** 10

/** The rows `members` of a file, which are read from it when they are needed. */
export function rowSplit(rows: TsvRows, members: ArrayLike<number>, files: FileSource): Pool<TextBatch> {
  const read = async (indices: ArrayLike<number>): Promise<TextBatch> => {
    checkIndices(indices, members.length)
    const wanted = Array.from(indices, (index) => members[index] ?? 0)
    const found = await readRows(rows, wanted, files)
    const column = (place: number) => wanted.map((row) => found.get(row)?.[place] ?? '')
    const [first = 0, second] = rows.texts
    const labels = Int32Array.from(wanted, (row) => rows.labels[row] ?? 0)
    return { first: column(first), ...(second === undefined ? {} : { second: column(second) }), labels }
  }
  return { size: members.length, read, labels: Array.from(members, (row) => rows.labels[row] ?? 0) }
}

/** The columns of rows, by row. */
async function readRows(rows: TsvRows, wanted: number[], files: FileSource): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>()
  const start = (row = 0) => rows.starts[row] ?? 0
  const end = (row = 0) => rows.ends[row] ?? 0
  const runs: number[][] = []
  for (const row of [...new Set(wanted)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && start(row) - end(run.at(-1)) <= GAP) run.push(row)
    else runs.push([row])
  }
  await Promise.all(
    runs.map(async (run) => {
      const from = start(run[0])
      const bytes = await readPart(rows.path, from, end(run.at(-1)), files)
      for (const row of run) found.set(row, columnsAt(bytes.subarray(start(row) - from), start(row), rows))
    }),
  )
  return found
}

/** The columns of the row that `bytes` begin with, at `offset` of the file. */
function columnsAt(bytes: Uint8Array, offset: number, { path, texts }: TsvRows): string[] {
  const columns = firstLine(bytes, path, (at) => `offset ${offset + at}`).split('\t')
  if (texts.every((place) => columns[place])) return columns
  throw new MixlabError('data', path, `offset ${offset}: no longer the row that was here; the file has changed`)
}
