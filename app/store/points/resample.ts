import type { StepRange } from '../../../engine/records/series.ts'
import type { Line } from '../../../engine/study/align.ts'
import type { Database } from '../database.ts'
import { addEntry, addPoints, emptyEntry, type LevelEntry } from './entry.ts'
import { levelFor, readPieces } from './levels.ts'
import type { PointWindow } from './window.ts'

/** The steps from `start` to `end` in stretches of `width`. */
export interface StepGrid {
  start: number
  end: number
  width: number
}

/** One run on the way into a band: its values, and the smallest and the largest of the points behind each. */
export interface Sampled extends Line {
  min: number[]
  max: number[]
}

/** The grid of at most `buckets` stretches on which series, of which these are windows, meet. */
export function gridOf(windows: PointWindow[], buckets: number, range?: StepRange): StepGrid {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { from, to, span } of windows) {
    if (from === to) continue
    first = Math.min(first, span[0])
    last = Math.max(last, span[1])
  }
  const start = range ? Math.max(first, Math.ceil(range[0])) : first
  const end = range ? Math.min(last, Math.floor(range[1])) : last
  return { start, end, width: Math.max(1, Math.ceil((end - start + 1) / buckets)) }
}

/** A window of a series with one value per stretch of a grid where it has points, and one before and after the grid. */
export function resample(database: Database, { run, metric, from, to }: PointWindow, grid: StepGrid): Sampled {
  const line: Sampled = { steps: [], values: [], min: [], max: [] }
  let bucket = Number.NaN
  let entry = emptyEntry()

  function bucketOf(step: number): number {
    if (step < grid.start) return -1
    return step > grid.end ? Number.POSITIVE_INFINITY : Math.floor((step - grid.start) / grid.width)
  }

  function open(next: number): LevelEntry {
    if (next === bucket) return entry
    close()
    bucket = next
    entry = emptyEntry()
    return entry
  }

  function close(): void {
    if (Number.isNaN(entry.firstStep)) return
    line.steps.push(stepOf(bucket, entry, grid))
    line.values.push(entry.numbers > 0 ? entry.sum / entry.numbers : Number.NaN)
    line.min.push(entry.min)
    line.max.push(entry.max)
  }

  const stretches = Math.max(1, (grid.end - grid.start + 1) / grid.width)
  // Two entries per stretch or more, so that what an entry takes to the wrong side of an edge is not much.
  for (const piece of readPieces(database, run, metric, from, to, levelFor(to - from, 2 * stretches))) {
    if ('entries' in piece) {
      for (const each of piece.entries) addEntry(open(bucketOf((each.firstStep + each.lastStep) / 2)), each)
    } else {
      const { steps } = piece.points
      for (let i = 0; i < steps.length; ) {
        const next = bucketOf(steps[i] ?? 0)
        const end = endOf(next, grid)
        let after = i + 1
        while (after < steps.length && (steps[after] ?? 0) < end) after++
        addPoints(open(next), piece.points, i, after)
        i = after
      }
    }
  }
  close()
  return line
}

/** The step before which a stretch ends. */
function endOf(bucket: number, { start, end, width }: StepGrid): number {
  if (bucket < 0) return start
  return bucket === Number.POSITIVE_INFINITY ? bucket : Math.min(end + 1, start + (bucket + 1) * width)
}

/** The step in the middle of a stretch; outside the grid, the one next to it. */
function stepOf(bucket: number, entry: LevelEntry, { start, end, width }: StepGrid): number {
  if (bucket < 0) return entry.lastStep
  if (bucket === Number.POSITIVE_INFINITY) return entry.firstStep
  const first = start + bucket * width
  return Math.floor((first + Math.min(end, first + width - 1)) / 2)
}
