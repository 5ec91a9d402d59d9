import { MixlabError } from '../../engine/errors.ts'
import type { MetricSummary, RunStart, StoredRun } from '../../engine/records/run.ts'
import type { Database } from './database.ts'
import { removeUnused } from './kept.ts'
import { writeOrigin } from './origin.ts'
import type { StoreParts } from './parts.ts'
import { readSummaries } from './points/summary.ts'
import { enterRun } from './runs/configuration.ts'
import { TRAINED_MS } from './trained.ts'

/** The columns of a run that lists show; `spec` and `code` are read one by one. */
export const runColumns = `id, key, study, variant, seed, status, backend, device, started_at, ended_at,
  ${TRAINED_MS} as ms, step, steps, parameters, macs, error, weights,
  (select archived from run_entry where run_entry.run = run.id) as archived`

export interface RunRow extends Omit<StoredRun, 'startedAt' | 'endedAt' | 'hasWeights' | 'archived' | 'metrics'> {
  started_at: number
  ended_at: number | null
  weights: string | null
  archived: number
}

/**
 * Puts a run into training: its newest attempt that was interrupted on the same backend, or else a new one; archived ones
 * do not count. Null where a run of this key is in training or done. What crashes left among the objects is removed when this process first trains.
 */
export function beginRun(store: StoreParts, run: RunStart): number | null {
  const owner = store.owners.claim(() => removeUnused(store, store.objects, store.objects.list()))
  return store.write(() => takeUp(store, owner, run))
}

function takeUp(database: Database, owner: string, run: RunStart): number | null {
  const open = `select 1 from run where key = ? and (status = 'running' or status = 'done' and ${COUNTS}) limit 1`
  if (database.get(open, run.key)) return null
  const interrupted = database.get<{ id: number }>(
    `select id from run where key = ? and status = 'interrupted' and ${ON} and ${COUNTS} order by id desc limit 1`,
    run.key,
    run.backend,
    run.backend,
  )
  if (!interrupted) return insertRun(database, owner, run)
  const now = Date.now()
  // The start moves by the break, so that what lies between start and end is the time of training.
  database.run(
    `update run set status = 'running', device = ?, owner = ?, owner_pid = ?, recorded_at = ?, ended_at = null,
       started_at = started_at + max(0, ? - ended_at)
     where id = ?`,
    ...[run.device, owner, process.pid, now, now, interrupted.id],
  )
  writeOrigin(database, interrupted.id, run)
  return interrupted.id
}

function insertRun(database: Database, owner: string, run: RunStart): number {
  const { key, study, variant, seed, backend, device, spec, code } = run
  if (!Number.isSafeInteger(seed)) throw new MixlabError('store', 'seed', `${seed}: must be a whole number`)
  const now = Date.now()
  const id = database.run(
    `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid,
       spec, code)
     values (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[key, study, variant, seed, backend, device, now, now, owner, process.pid, JSON.stringify(spec), code],
  )
  writeOrigin(database, id, run)
  enterRun(database, id, run)
  return id
}

/** Of a row of `run`: whether a backend trained it last; the backend is given twice. See engine/records/backends.ts. */
export const ON = "(backend = ? or backend like '%, ' || ?)"

/** Of a row of `run`: whether studies take it, for it is not archived. */
export const COUNTS = 'not exists (select 1 from run_entry where run_entry.run = run.id and archived = 1)'

/** The runs of some rows, with their metrics. */
export function withMetrics(database: Database, rows: RunRow[]): StoredRun[] {
  const ofRun = new Map<number, [string, MetricSummary][]>(rows.map((row) => [row.id, []]))
  for (const [run, ...summary] of readSummaries(database, [...ofRun.keys()])) ofRun.get(run)?.push(summary)
  return rows.map((row) => toRun(row, ofRun.get(row.id) ?? []))
}

function toRun(row: RunRow, metrics: [string, MetricSummary][]): StoredRun {
  const { started_at, ended_at, weights, archived, ...rest } = row
  const sorted = metrics.sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...rest,
    startedAt: started_at,
    endedAt: ended_at,
    hasWeights: weights !== null,
    archived: archived === 1,
    metrics: Object.fromEntries(sorted),
  }
}

/** Throws MixlabError `store` for a run id that the store does not have. */
export function checkRun(database: Database, id: number): void {
  if (!database.get('select 1 from run where id = ?', id)) throw unknownRun(id)
}

/** The error for a run id that the store does not have. */
export function unknownRun(id: number): MixlabError {
  return new MixlabError('store', `run ${id}`, 'no such run')
}
