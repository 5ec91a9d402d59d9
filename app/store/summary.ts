import type { MetricSummary } from '../../engine/study/types.ts'
import type { Database } from './database.ts'

export { higherIsBetter } from '../../engine/evaluate/direction.ts'

/** The points of one metric, in the order they were recorded. */
export interface Points {
  steps: number[]
  values: number[]
}

/**
 * The summary of a metric after more points (at least one). A value that is not a number can be the last one, but
 * neither best, min nor max, unless there is no other.
 */
export function summarize(before: MetricSummary | null, points: Points, higher: boolean): MetricSummary {
  const { steps, values } = points
  const start = { best: Number.NaN, bestStep: steps[0] ?? 0, min: Number.NaN, max: Number.NaN, count: 0 }
  let { best, bestStep, min, max, count } = before ?? start
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    if (Number.isNaN(best) || (higher ? value > best : value < best)) {
      best = value
      bestStep = steps[i] ?? 0
    }
    if (!(value >= min)) min = value
    if (!(value <= max)) max = value
  }
  count += values.length
  return { last: values.at(-1) ?? Number.NaN, lastStep: steps.at(-1) ?? 0, best, bestStep, min, max, count }
}

/** Keeps the summary of a metric of a run in place of the one before. */
export function writeSummary(database: Database, run: number, metric: number, summary: MetricSummary): void {
  const { last, lastStep, best, bestStep, min, max, count } = summary
  database.run(
    `insert or replace into metric_summary (run, metric, last, last_step, best, best_step, min, max, count)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[run, metric, last, lastStep, best, bestStep, min, max, count],
  )
}
