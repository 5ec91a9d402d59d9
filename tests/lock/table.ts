import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A run as the table has it: what its numbers rest on, its key, and its bits after training. */
export type Row = [numerics: string, key: string, bits: string]
/** Rows by the name of the run. */
export type Rows = Record<string, Row>

const golden = join(import.meta.dirname, '../golden')
export const RUNS = join(golden, 'runs.json')
export const DRAWS = join(golden, 'draws.json')

export const readTable = <Table>(path: string): Table => JSON.parse(readFileSync(path, 'utf8'))

/** The table as a file, a row a line. */
export function printTable(table: Record<string, unknown>): string {
  const lines = Object.entries(table).map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

export const BITS_CHANGED =
  'The same key, other bits: raise NUMERICS in engine/records/numerics.ts, or, where the file of one block alone changed, ' +
  "the block's number (`numerics` in its file in engine/models), and then `npm run bits`; or undo"
export const KEY_CHANGED =
  'An existing key changed, so that everything in every store would be trained again: undo. A new option stays out of the ' +
  'key where it has its default (engine/records/keyed.ts); a study of tests/lock/studies.ts that is to be another gets ' +
  'another name'
export const DRAW_CHANGED =
  'A random draw changed: raise NUMERICS in engine/records/numerics.ts, and then `npm run bits`; or undo'
export const STALE = 'The table is not that of these numbers and studies: `npm run bits`'

/** Names of the runs that rest on the same numbers as in the table, and still differ from it in that column. */
export function changed(table: Rows, now: Rows, column: 1 | 2): string[] {
  return Object.keys(now).filter((name) => {
    const [before, after] = [table[name], now[name]]
    return before && after && before[0] === after[0] && before[column] !== after[column]
  })
}

/** Names of the runs that are new, gone, or rest on other numbers than in the table. */
export function stale(table: Rows, now: Rows): string[] {
  return [...new Set([...Object.keys(table), ...Object.keys(now)])].filter(
    (name) => table[name]?.[0] !== now[name]?.[0],
  )
}

/** `NUMERICS`, and what is drawn under each name. */
export type Draws = Record<string, number | number[] | string>

/** Names of the draws that have other values than in the table, of the same `NUMERICS`. */
export function changedDraws(table: Draws, now: Draws): string[] {
  if (table.numerics !== now.numerics) return []
  return Object.keys(table).filter((name) => JSON.stringify(table[name]) !== JSON.stringify(now[name]))
}
