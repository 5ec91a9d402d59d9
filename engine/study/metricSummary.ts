import { isBetter, type MetricMeaning } from '../records/meaning.ts'
import type { MetricSummary } from '../records/run.ts'
import type { Line } from './align.ts'

/**
 * The summary of a metric after more points (at least one); `before` is null for its first. Where no way is better, the
 * last is the best. A value that is not a number can be the last one, but neither best, min nor max, unless there is no
 * other.
 */
export function metricSummary(
  before: MetricSummary | null,
  { steps, values }: Line,
  meaning: MetricMeaning | undefined = before?.meaning,
): MetricSummary {
  const start = { best: Number.NaN, bestStep: steps[0] ?? 0, min: Number.NaN, max: Number.NaN, count: 0 }
  let { best, bestStep, min, max, count } = before ?? start
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    if (Number.isNaN(best) || !meaning?.better || isBetter(value, best, meaning)) {
      best = value
      bestStep = steps[i] ?? 0
    }
    if (!(value >= min)) min = value
    if (!(value <= max)) max = value
  }
  count += values.length
  const ends = { last: values.at(-1) ?? Number.NaN, lastStep: steps.at(-1) ?? 0 }
  return { ...ends, best, bestStep, min, max, count, ...(meaning && { meaning }) }
}
