import type { MetricSummary } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'

/** Keeps the summary of a metric of a run in place of the one before. */
export function writeSummary(database: Database, run: number, metric: number, summary: MetricSummary): void {
  const { last, lastStep, best, bestStep, min, max, count } = summary
  database.run(
    `insert or replace into metric_summary (run, metric, last, last_step, best, best_step, min, max, count)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[run, metric, last, lastStep, best, bestStep, min, max, count],
  )
}
