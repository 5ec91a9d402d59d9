import type { Database } from './database.ts'
import { chunkSize, type StoredChunk, unpackChunk } from './points/chunk.ts'
import { appendLevels } from './points/levels.ts'
import { enterRun } from './runs/configuration.ts'

/** Makes what follows from the rest of the store, where an older version has not: levels of series, and run entries. */
export function derive(database: Database): void {
  const full = database.all<{ run: number; metric: number; number: number }>(
    `select run, metric, number from metric_chunk c where count = ?
       and not exists (select 1 from metric_level l where l.run = c.run and l.metric = c.metric)
     order by run, metric, number`,
    chunkSize,
  )
  for (const { run, metric, number } of full) {
    const chunk = database.get<StoredChunk>(
      'select step_data, value_data from metric_chunk where run = ? and metric = ? and number = ?',
      ...[run, metric, number],
    )
    if (chunk) appendLevels(database, run, metric, number, unpackChunk(chunk))
  }
  const runs = database.all<{ id: number; study: string; variant: string; spec: string }>(
    'select id, study, variant, spec from run where id not in (select run from run_entry) order by id',
  )
  for (const { id, spec, ...rest } of runs) enterRun(database, id, { ...rest, spec: JSON.parse(spec) })
}
