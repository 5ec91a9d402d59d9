import { MixlabError } from '../../../engine/errors.ts'
import type { StepRange } from '../../../engine/records/series.ts'
import type { Database } from '../database.ts'
import { chunkSize, type PackedPoints, unpackSteps } from './chunk.ts'
import type { StoredSeries } from './stored.ts'

/** Points of a series, from index `from` to before `to`. */
export interface PointWindow {
  run: number
  metric: number
  from: number
  to: number
  /** The first and the last step of the whole series; without points NaN. */
  span: StepRange
  /** These points, where they are read already. */
  points?: PackedPoints
}

/** The same of a series of which this is known; its points are in it where they are in one chunk. */
export function windowIn(
  database: Database,
  run: number,
  metric: number,
  series: StoredSeries | undefined,
  range?: StepRange,
): PointWindow {
  const span: StepRange = [series?.first ?? Number.NaN, series?.last ?? Number.NaN]
  const [piece] = series?.pieces ?? []
  if (!piece || !('points' in piece)) {
    return range && series
      ? windowOf(database, run, metric, range)
      : { run, metric, from: 0, to: series?.count ?? 0, span }
  }
  const { steps, values } = piece.points
  const [first, last] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const before = (step: number) => lowest(0, steps.length, (i) => (steps[i] ?? Number.NaN) >= step)
  const from = Math.max(0, before(first) - 1)
  const to = Math.min(steps.length, before(Math.floor(last) + 1) + 1)
  return { run, metric, from, to, span, points: { steps: steps.subarray(from, to), values: values.subarray(from, to) } }
}

/**
 * The points of a series whose steps lie in `range`, and the one before and after them; all where it is left out. Steps
 * ascend. Mostly reads two chunks, however long the series is.
 */
export function windowOf(database: Database, run: number, metric: number, range?: StepRange): PointWindow {
  const series = database.get<Series>(
    `select summary.count, chunk.first_step as first, summary.last_step as last
     from metric_summary as summary join metric_chunk as chunk using (run, metric)
     where summary.run = ? and summary.metric = ? and chunk.number = 0`,
    ...[run, metric],
  )
  if (!series) return { run, metric, from: 0, to: 0, span: [Number.NaN, Number.NaN] }
  const { count, first, last } = series
  const span: StepRange = [first, last]
  if (!range) return { run, metric, from: 0, to: count, span }
  const chunkAt = (number: number) =>
    database.get<Chunk>(
      `select number, first_step as first, last_step as last, count, step_data from metric_chunk
       where run = ? and metric = ? and number = ?`,
      ...[run, metric, number],
    )
  const from = firstAt(chunkAt, series, range[0]) - 1
  const to = firstAt(chunkAt, series, Math.floor(range[1]) + 1) + 1
  return { run, metric, from: Math.max(0, from), to: Math.min(count, to), span }
}

interface Series {
  count: number
  first: number
  last: number
}

interface Chunk {
  number: number
  first: number
  last: number
  count: number
  step_data: Uint8Array
}

/** The index of the first point at a step or after it. The first chunk looked into is where even steps would have it. */
function firstAt(chunkAt: (number: number) => Chunk | undefined, { count, first, last }: Series, step: number): number {
  if (step <= first) return 0
  if (step > last) return count
  const even = Math.floor((count * (step - first)) / (last - first + 1) / chunkSize)
  let [low, high] = [0, Math.ceil(count / chunkSize)]
  for (let number = even; low < high; number = Math.floor((low + high) / 2)) {
    const chunk = chunkAt(number)
    if (!chunk) return count
    if (step > chunk.last) low = number + 1
    else if (step <= chunk.first && number > low) high = number
    else {
      const steps = unpackSteps(chunk.step_data, chunk.count)
      return number * chunkSize + lowest(0, steps.length, (i) => (steps[i] ?? Number.NaN) >= step)
    }
  }
  return low * chunkSize
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
