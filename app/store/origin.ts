import { createHash } from 'node:crypto'
import type { Environment } from '../../engine/records/environment.ts'
import type { StoredOrigin } from '../../engine/records/origin.ts'
import type { RunStart, StoredRunDetails } from '../../engine/records/run.ts'
import type { Database } from './database.ts'

/** Records where a run comes from, in place of what was known of an earlier attempt. Belongs inside a transaction. */
export function writeOrigin(database: Database, run: number, { variant, origin, environment }: RunStart): void {
  if (origin) {
    const { notebook, cell, name, quick } = origin
    const sql = `insert or replace into run_origin (run, notebook, cell, name, quick, source, variant)
      values (?, ?, ?, ?, ?, ?, ?)`
    database.run(sql, run, notebook, cell, name, quick ? 1 : 0, sourceId(database, origin.source), variant)
  } else database.run('delete from run_origin where run = ?', run)
  if (environment) {
    const sql = 'insert or replace into run_environment (run, environment) values (?, ?)'
    database.run(sql, run, JSON.stringify(environment))
  } else database.run('delete from run_environment where run = ?', run)
}

/** What is known of a run; nothing of a run from before this was kept. */
export function readOrigin(database: Database, run: number): Pick<StoredRunDetails, 'origin' | 'environment'> {
  const row = database.get<Omit<StoredOrigin, 'quick'> & { quick: number }>(
    `select o.notebook, o.cell, o.name, s.text as source, o.quick, o.variant
     from run_origin as o join source as s on s.id = o.source where o.run = ?`,
    run,
  )
  const known = database.get<{ environment: string }>('select environment from run_environment where run = ?', run)
  return {
    origin: row ? { ...row, quick: row.quick === 1 } : null,
    environment: known ? (JSON.parse(known.environment) as Environment) : null,
  }
}

/** Gives the runs of a notebook to its new name. */
export function moveRuns(database: Database, from: string, to: string): void {
  database.run('update run_origin set notebook = ? where notebook = ?', to, from)
}

function sourceId(database: Database, text: string): number {
  const hash = createHash('sha256').update(text).digest('hex')
  database.run('insert or ignore into source (hash, text) values (?, ?)', hash, text)
  return database.get<{ id: number }>('select id from source where hash = ?', hash)?.id ?? 0
}
