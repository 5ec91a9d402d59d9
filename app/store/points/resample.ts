import type { StepRange } from '../../../engine/records/series.ts'
import type { Database } from '../database.ts'
import { levelFor, readPieces } from './levels.ts'
import type { PointWindow } from './window.ts'

/** The steps from `start` to `end` in stretches of `width`. */
export interface StepGrid {
  start: number
  end: number
  width: number
}

/** One run on the way into a band, of the form of a `Line`: its values, and the smallest and the largest of the points behind each. */
export interface Sampled {
  steps: Float64Array
  values: Float64Array
  min: Float64Array
  max: Float64Array
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
export function resample(database: Database, { run, metric, from, to, points }: PointWindow, grid: StepGrid): Sampled {
  const stretches = Math.max(1, (grid.end - grid.start + 1) / grid.width)
  const [steps, values, min, max] = blankLists(4, Math.ceil(stretches) + 2) as Four
  let count = 0
  let [bucket, end] = [Number.NaN, Number.NEGATIVE_INFINITY]
  let [firstStep, lastStep, numbers, sum, low, high] = [Number.NaN, Number.NaN, 0, 0, Number.NaN, Number.NaN]

  /** Goes on to the stretch of a step behind the last one. */
  function open(step: number): void {
    close()
    bucket = bucketOf(step, grid)
    end = endOf(bucket, grid)
    firstStep = Number.NaN
    ;[numbers, sum, low, high] = [0, 0, Number.NaN, Number.NaN]
  }

  function close(): void {
    if (Number.isNaN(firstStep)) return
    steps[count] = stepOf(bucket, firstStep, lastStep, grid)
    values[count] = numbers > 0 ? sum / numbers : Number.NaN
    min[count] = low
    max[count] = high
    count++
  }

  // Two entries per stretch or more, so that what an entry takes to the wrong side of an edge is not much.
  const level = levelFor(to - from, 2 * stretches)
  for (const piece of points ? [{ points }] : readPieces(database, run, metric, from, to, level)) {
    if ('entries' in piece) {
      for (const each of piece.entries) {
        const middle = (each.firstStep + each.lastStep) / 2
        if (middle >= end) open(middle)
        if (Number.isNaN(firstStep)) firstStep = each.firstStep
        lastStep = each.lastStep
        numbers += each.numbers
        sum += each.sum
        if (Number.isNaN(low) || each.min < low) low = each.min
        if (Number.isNaN(high) || each.max > high) high = each.max
      }
    } else {
      const { steps, values } = piece.points
      for (let i = 0; i < steps.length; i++) {
        const step = steps[i] ?? Number.NaN
        const value = values[i] ?? Number.NaN
        if (step >= end) open(step)
        if (Number.isNaN(firstStep)) firstStep = step
        lastStep = step
        if (Number.isNaN(value)) continue
        numbers++
        sum += value
        if (!(value >= low)) low = value
        if (!(value <= high)) high = value
      }
    }
  }
  close()
  const cut = (list: Float64Array) => list.subarray(0, count)
  return { steps: cut(steps), values: cut(values), min: cut(min), max: cut(max) }
}

/** Lists of NaN that share their memory, which is quicker to have than one each. */
export function blankLists(count: number, length: number): Float64Array[] {
  const all = new Float64Array(count * length).fill(Number.NaN)
  return Array.from({ length: count }, (_, i) => all.subarray(i * length, (i + 1) * length))
}

type Four = [Float64Array, Float64Array, Float64Array, Float64Array]

/** The number of the stretch of a step: -1 before the grid, and infinite behind it. */
function bucketOf(step: number, { start, end, width }: StepGrid): number {
  if (step < start) return -1
  return step > end ? Number.POSITIVE_INFINITY : Math.floor((step - start) / width)
}

/** The step before which a stretch ends. */
function endOf(bucket: number, { start, end, width }: StepGrid): number {
  if (bucket < 0) return start
  return bucket === Number.POSITIVE_INFINITY ? bucket : Math.min(end + 1, start + (bucket + 1) * width)
}

/** The step in the middle of a stretch; outside the grid, the one next to it. */
function stepOf(bucket: number, firstStep: number, lastStep: number, { start, end, width }: StepGrid): number {
  if (bucket < 0) return lastStep
  if (bucket === Number.POSITIVE_INFINITY) return firstStep
  const first = start + bucket * width
  return Math.floor((first + Math.min(end, first + width - 1)) / 2)
}
