import type { CellOutput } from '../../engine/host.ts'
import type { Database } from './database.ts'

/** What the cells of a notebook last showed. */
export function readOutputs(database: Database, notebook: string): CellOutput[] {
  const rows = database.all<{ cell: string; fingerprint: string; output: string }>(
    'select cell, fingerprint, output from cell_output where notebook = ? order by cell',
    notebook,
  )
  return rows.map((row) => ({ ...row, output: JSON.parse(row.output) as unknown }))
}

/** Keeps what a cell shows, in place of what it showed before. */
export function writeOutput(database: Database, notebook: string, { cell, fingerprint, output }: CellOutput): void {
  database.run(
    'insert or replace into cell_output (notebook, cell, fingerprint, output) values (?, ?, ?, ?)',
    notebook,
    cell,
    fingerprint,
    // `undefined` has no JSON.
    JSON.stringify(output ?? null),
  )
}

/** Gives the outputs of a notebook to its new name, in place of those of a notebook that had it before. */
export function moveOutputs(database: Database, from: string, to: string): void {
  database.write(() => {
    database.run('delete from cell_output where notebook = ?', to)
    database.run('update cell_output set notebook = ? where notebook = ?', to, from)
  })
}
