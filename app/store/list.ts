import { MixlabError } from '../../engine/errors.ts'
import type { RunFilter } from '../../engine/host.ts'
import { currentAttempts } from '../../engine/records/attempts.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import type { Database, SqlParameter } from './database.ts'
import { LAST_BACKEND_IS, NOT_ARCHIVED, type RunRow, runColumns, withMetrics } from './run.ts'

/** The runs that pass all of a filter, newest first. */
export function listRuns(database: Database, filter: RunFilter = {}): StoredRun[] {
  const { study, variant, status, keys, notebook, cell, limit } = filter
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new MixlabError('option', 'limit', `${limit}: must be a whole number, 0 or more`)
  }
  const conditions: [sql: string, value: SqlParameter | undefined][] = [
    ['study = ?', study],
    ['variant = ?', variant],
    ['status = ?', status],
    ['key in (select value from json_each(?))', keys && JSON.stringify(keys)],
    ['id in (select run from run_origin where notebook = ?)', notebook],
    ['id in (select run from run_origin where cell = ?)', cell],
  ]
  const asked = conditions.filter(([, value]) => value !== undefined)
  const where = asked.length ? `where ${asked.map(([sql]) => sql).join(' and ')}` : ''
  const rows = database.all<RunRow>(
    `select ${runColumns} from run ${where} order by id desc limit ?`,
    ...asked.map(([, value]) => value ?? null),
    limit ?? -1,
  )
  return withMetrics(database, rows)
}

/**
 * Of the newest attempt of each key that was interrupted on a backend and is not archived, the step of the state that it
 * left.
 */
export function findResumable(database: Database, keys: string[], backend: string): { key: string; step: number }[] {
  return database.all<{ key: string; step: number }>(
    `select run.key, checkpoint.step from checkpoint join run on run.id = checkpoint.run
     where checkpoint.kind = 'state' and checkpoint.run in (
       select max(id) from run
       where status = 'interrupted' and ${LAST_BACKEND_IS} and ${NOT_ARCHIVED} and key in (select value from json_each(?))
       group by key)
     order by run.id`,
    backend,
    backend,
    JSON.stringify(keys),
  )
}

/** The attempt that counts at each run among `keys`; none that is archived. */
export function lookAt(database: Database, keys: string[]): StoredRun[] {
  return currentAttempts(listRuns(database, { keys })).map((run) => ({
    ...run,
    nextAttempt: nextAttempt(database, run.id),
  }))
}

/** The least number that an attempt of elsewhere at a run may have. */
function nextAttempt(database: Database, run: number): number {
  const sql = 'select epoch + 1 - outside as next from run_owner where run = ?'
  return database.get<{ next: number }>(sql, run)?.next ?? 1
}

/** The latest finished run of each key that is not archived, oldest first. */
export function findDone(database: Database, keys: string[]): StoredRun[] {
  const rows = database.all<RunRow>(
    `select ${runColumns} from run
     where id in (
       select max(id) from run where status = 'done' and ${NOT_ARCHIVED} and key in (select value from json_each(?))
       group by key)
     order by id`,
    JSON.stringify(keys),
  )
  return withMetrics(database, rows)
}
