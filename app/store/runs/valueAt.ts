import type { Database } from '../database.ts'
import { fromBlobs } from '../points/chunk.ts'

/** The value of a metric of a run at a step, or null where it has none: one chunk is read. */
export function storedValueAt(database: Database, run: number, metric: string, step: number): number | null {
  const chunk = database.get<{ step_data: Uint8Array; value_data: Uint8Array }>(
    `select step_data, value_data from metric_chunk
     where run = ? and metric = (select id from metric_name where name = ?) and first_step <= ? and last_step >= ?
     order by number desc limit 1`,
    ...[run, metric, step, step],
  )
  if (!chunk) return null
  const at = fromBlobs([chunk.step_data]).lastIndexOf(step)
  return at < 0 ? null : (fromBlobs([chunk.value_data])[at] ?? null)
}
