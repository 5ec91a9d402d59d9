import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { Database } from './database.ts'
import { readOrigin } from './origin.ts'
import { resolveReference } from './reference.ts'
import { type RunRow, runColumns, unknownRun, withMetrics } from './run.ts'

/** The run that a reference means. Throws MixlabError `store`, naming what is close. */
export function showRun(database: Database, reference: string): StoredRunDetails {
  const id = resolveReference(database, reference)
  const [run] = showRuns(database, [id])
  if (!run) throw unknownRun(id)
  return run
}

/** Runs with all that is known of each, in the order of their ids. Throws MixlabError `store` for an unknown one. */
export function showRuns(database: Database, ids: number[]): StoredRunDetails[] {
  return database.read(() => detailsOf(database, ids))
}

function detailsOf(database: Database, ids: number[]): StoredRunDetails[] {
  const rows = ids.map((id) => {
    const row = database.get<RunRow & { spec: string; code: string }>(
      `select ${runColumns}, spec, code from run where id = ?`,
      id,
    )
    if (!row) throw unknownRun(id)
    return row
  })
  return withMetrics(database, rows).map((run, index) => {
    const { spec = '', code = '' } = rows[index] ?? {}
    return { ...run, spec: JSON.parse(spec) as unknown, code, ...readOrigin(database, run.id) }
  })
}
