import type { Series, StepRange } from '../../../engine/host.ts'
import type { Database } from '../database.ts'
import { decimateStored } from './decimate.ts'
import { metricId } from './metric.ts'
import { checkView, windowOf } from './window.ts'

/** One series per id, in that order and empty where there are no points; at most about `buckets` points each. */
export function readSeries(
  database: Database,
  ids: number[],
  metric: string,
  buckets = 1000,
  range?: StepRange,
): Series[] {
  checkView(buckets, range)
  return database.read(() => {
    const known = metricId(database, metric)
    return ids.map((run) => {
      if (known === null) return { run, steps: [], values: [] }
      return { run, ...decimateStored(database, windowOf(database, run, known, range), buckets) }
    })
  })
}
