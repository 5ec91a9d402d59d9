import { metricSummary } from '../../../engine/study/metricSummary.ts'
import type { Database } from '../database.ts'
import { appendPoints } from './append.ts'
import { readPoints } from './chunk.ts'
import { readSummary, writeSummary } from './summary.ts'

/** Deletes the points after `step` from all series of a run; 0 deletes all. Belongs inside a transaction. */
export function truncateSeries(database: Database, run: number, step: number): void {
  const longer = database.all<{ metric: number }>(
    'select metric from metric_summary where run = ? and (last_step > ? or ? = 0)',
    ...[run, step, step],
  )
  for (const { metric } of longer) {
    const meaning = readSummary(database, run, metric)?.meaning
    const { steps, values } = readPoints(database, run, metric)
    const kept = [...steps.keys()].filter((i) => step > 0 && (steps[i] ?? 0) <= step)
    const points = { steps: kept.map((i) => steps[i] ?? 0), values: kept.map((i) => values[i] ?? Number.NaN) }
    for (const table of ['metric_chunk', 'metric_level', 'metric_summary']) {
      database.run(`delete from ${table} where run = ? and metric = ?`, run, metric)
    }
    if (kept.length === 0) continue
    appendPoints(database, run, metric, points)
    writeSummary(database, run, metric, metricSummary(null, points, meaning))
  }
}
