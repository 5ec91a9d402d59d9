import { MixlabError } from '../../engine/errors.ts'
import type { StepRange } from '../../engine/host.ts'
import { chunkSize, fromBlobs } from './chunk.ts'
import type { Database } from './database.ts'

/** Points of a series, from index `from` to before `to`. */
export interface Window {
  run: number
  metric: number
  from: number
  to: number
}

/**
 * The points of a series whose steps lie in `range`, and the one before and after them; all where it is left out. Steps
 * ascend. Reads two chunks, however long the series is.
 */
export function windowOf(database: Database, run: number, metric: number, range?: StepRange): Window {
  const summary = database.get<{ count: number }>(
    'select count from metric_summary where run = ? and metric = ?',
    run,
    metric,
  )
  const count = summary?.count ?? 0
  if (!range) return { run, metric, from: 0, to: count }

  const reaches = (test: (step: number) => boolean) => {
    const chunk = lowest(0, Math.ceil(count / chunkSize), (number) => {
      const row = database.get<{ last_step: number }>(
        'select last_step from metric_chunk where run = ? and metric = ? and number = ?',
        ...[run, metric, number],
      )
      return row === undefined || test(row.last_step)
    })
    const row = database.get<{ step_data: Uint8Array }>(
      'select step_data from metric_chunk where run = ? and metric = ? and number = ?',
      ...[run, metric, chunk],
    )
    if (!row) return count
    const steps = fromBlobs([row.step_data])
    return chunk * chunkSize + lowest(0, steps.length, (i) => test(steps[i] ?? Number.NaN))
  }
  const from = reaches((step) => step >= range[0]) - 1
  const to = reaches((step) => step > range[1]) + 1
  return { run, metric, from: Math.max(0, from), to: Math.min(count, to) }
}

/** The lowest number from `low` to before `high` that passes a test, as do all above it; `high` where none does. */
function lowest(low: number, high: number, test: (number: number) => boolean): number {
  let [start, end] = [low, high]
  while (start < end) {
    const middle = Math.floor((start + end) / 2)
    if (test(middle)) end = middle
    else start = middle + 1
  }
  return start
}

/** Throws MixlabError `option` for what is no number of buckets, or no range of steps. */
export function checkView(buckets: number, range: StepRange | undefined): void {
  if (!(Number.isSafeInteger(buckets) && buckets >= 1)) {
    throw new MixlabError('option', 'buckets', `${buckets}: must be a whole number, 1 or more`)
  }
  if (range && !(range[0] <= range[1])) {
    throw new MixlabError('option', 'range', `${range.join(' to ')}: must go from a step to one that is not before it`)
  }
}
