import { chunkSize, type StoredChunk, unpackChunk } from '../chunk.ts'
import type { Database } from '../database.ts'
import { appendLevels } from '../levels.ts'

/**
 * Coarser levels of long series, so that every zoom costs the same. A row holds up to 16 entries (entry.ts), one after
 * the other; those of the chunks that are full already are made here.
 */
export function pyramid(database: Database): void {
  database.execute(`
create table metric_level (
  run integer not null references run,
  metric integer not null references metric_name,
  level integer not null,
  number integer not null,
  data blob not null,
  primary key (run, metric, level, number)
) strict;
`)
  const full = database.all<{ run: number; metric: number; number: number }>(
    'select run, metric, number from metric_chunk where count = ? order by run, metric, number',
    chunkSize,
  )
  for (const { run, metric, number } of full) {
    const chunk = database.get<StoredChunk>(
      'select step_data, value_data from metric_chunk where run = ? and metric = ? and number = ?',
      ...[run, metric, number],
    )
    if (chunk) appendLevels(database, run, metric, number, unpackChunk(chunk))
  }
}
