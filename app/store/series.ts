import { MixlabError } from '../../engine/errors.ts'
import type { Series } from '../../engine/host.ts'
import { readPoints } from './chunk.ts'
import type { Database } from './database.ts'
import { decimate } from './decimate.ts'

/** One series per id, in that order and empty where there are no points; at most about `buckets` points each. */
export function readSeries(database: Database, ids: number[], metric: string, buckets = 1000): Series[] {
  if (!(Number.isSafeInteger(buckets) && buckets >= 1)) {
    throw new MixlabError('option', 'buckets', `${buckets}: must be a whole number, 1 or more`)
  }
  const known = database.get<{ id: number }>('select id from metric_name where name = ?', metric)
  return ids.map((run) => {
    if (!known) return { run, steps: [], values: [] }
    return { run, ...decimate(readPoints(database, run, known.id), buckets) }
  })
}
