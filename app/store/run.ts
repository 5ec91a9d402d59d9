import { MixlabError } from '../../engine/errors.ts'
import type { MetricSummary, StoredRun } from '../../engine/records/run.ts'
import type { Database } from './database.ts'
import { readSummaries } from './points/summary.ts'
import { TRAINED_MS } from './trained.ts'

/** The columns of a run that lists show; `spec` and `code` are read one by one. */
export const runColumns = `id, key, study, variant, seed, status, backend, device, started_at, ended_at,
  ${TRAINED_MS} as ms, step, steps, parameters, macs, error, weights,
  (select archived from run_entry where run_entry.run = run.id) as archived,
  (select notebook from run_origin where run_origin.run = run.id) as notebook`

export interface RunRow
  extends Omit<StoredRun, 'startedAt' | 'endedAt' | 'hasWeights' | 'archived' | 'notebook' | 'metrics'> {
  started_at: number
  ended_at: number | null
  weights: string | null
  archived: number
  notebook: string | null
}

/** Of a row of `run`: whether a backend trained it last; the backend is given twice. See engine/records/backends.ts. */
export const LAST_BACKEND_IS = "(backend = ? or backend like '%, ' || ?)"

/** Of a row of `run`: whether studies take it, for it is not archived. */
export const NOT_ARCHIVED = 'not exists (select 1 from run_entry where run_entry.run = run.id and archived = 1)'

/** The runs of some rows, with their metrics. */
export function withMetrics(database: Database, rows: RunRow[]): StoredRun[] {
  const ofRun = new Map<number, [string, MetricSummary][]>(rows.map((row) => [row.id, []]))
  for (const [run, ...summary] of readSummaries(database, [...ofRun.keys()])) ofRun.get(run)?.push(summary)
  return rows.map((row) => toRun(row, ofRun.get(row.id) ?? []))
}

function toRun(row: RunRow, metrics: [string, MetricSummary][]): StoredRun {
  const { started_at, ended_at, weights, archived, notebook, ...rest } = row
  const sorted = metrics.sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...rest,
    startedAt: started_at,
    endedAt: ended_at,
    hasWeights: weights !== null,
    archived: archived === 1,
    ...(notebook !== null && { notebook }),
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
