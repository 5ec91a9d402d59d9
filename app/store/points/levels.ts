import type { Database } from '../database.ts'
import { chunkSize, type PackedPoints, readPoints } from './chunk.ts'
import { addEntry, addPoints, emptyEntry, type LevelEntry, packEntries, unpackEntries } from './entry.ts'

/** Entries of one level that one of the next takes together, and that share a row. */
const factor = 16

/** Points that an entry of a level stands for: 64, 1,024 (a chunk), 16,384, ... */
export function pointsPerEntry(level: number): number {
  return (chunkSize / factor) * factor ** (level - 1)
}

/** The coarsest level, or 0 for points, of which `count` points have `wanted` entries or more. */
export function levelFor(count: number, wanted: number): number {
  let level = 0
  while (pointsPerEntry(level + 1) * wanted <= count) level++
  return level
}

/** Keeps the entries of a chunk that has become full. Belongs inside the transaction that fills it. */
export function appendLevels(
  database: Database,
  run: number,
  metric: number,
  number: number,
  points: PackedPoints,
): void {
  const size = pointsPerEntry(1)
  const entries = Array.from({ length: factor }, (_, i) => addPoints(emptyEntry(), points, i * size, (i + 1) * size))
  appendEntries(database, run, metric, 1, number, entries)
}

/** Appends entries to a row of a level; one that they fill becomes an entry of the next level. */
function appendEntries(
  database: Database,
  run: number,
  metric: number,
  level: number,
  number: number,
  added: LevelEntry[],
): void {
  const before = database.get<{ data: Uint8Array }>(
    'select data from metric_level where run = ? and metric = ? and level = ? and number = ?',
    ...[run, metric, level, number],
  )
  const entries = [...(before ? unpackEntries(before.data) : []), ...added]
  database.run(
    'insert or replace into metric_level (run, metric, level, number, data) values (?, ?, ?, ?, ?)',
    ...[run, metric, level, number, packEntries(entries)],
  )
  if (entries.length < factor) return
  appendEntries(database, run, metric, level + 1, Math.floor(number / factor), [entries.reduce(addEntry, emptyEntry())])
}

/** A part of a series from the point `from` on: points, or entries of `size` points each. */
export type SeriesPiece = { from: number; points: PackedPoints } | { from: number; size: number; entries: LevelEntry[] }

/**
 * The points of a series from index `from` to before `to` as entries of a level, in order; where none begins or ends at
 * an edge, entries of finer levels and points fill the gap.
 */
export function readPieces(
  database: Database,
  run: number,
  metric: number,
  from: number,
  to: number,
  level: number,
): SeriesPiece[] {
  if (from >= to) return []
  if (level === 0) return [{ from, points: readPoints(database, run, metric, from, to) }]
  const size = pointsPerEntry(level)
  const entries = readEntries(database, run, metric, level, Math.ceil(from / size), Math.floor(to / size))
  if (entries.length === 0) return readPieces(database, run, metric, from, to, level - 1)
  const start = Math.ceil(from / size) * size
  const end = start + entries.length * size
  return [
    ...readPieces(database, run, metric, from, start, level - 1),
    { from: start, size, entries },
    ...readPieces(database, run, metric, end, to, level - 1),
  ]
}

/** The entries from index `from` to before `to` of a level, fewer where the end of the series is not a full one. */
function readEntries(
  database: Database,
  run: number,
  metric: number,
  level: number,
  from: number,
  to: number,
): LevelEntry[] {
  if (from >= to) return []
  const first = Math.floor(from / factor)
  const rows = database.all<{ data: Uint8Array }>(
    `select data from metric_level where run = ? and metric = ? and level = ? and number between ? and ? order by number`,
    ...[run, metric, level, first, Math.floor((to - 1) / factor)],
  )
  return rows.flatMap(({ data }) => unpackEntries(data)).slice(from - first * factor, to - first * factor)
}
