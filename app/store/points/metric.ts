import type { Database } from '../database.ts'

/** The id of a metric, or null where no run has it. */
export function metricId(database: Database, name: string): number | null {
  return database.get<{ id: number }>('select id from metric_name where name = ?', name)?.id ?? null
}
