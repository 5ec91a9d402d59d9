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

/** Windows of series with one value per stretch of a grid where they have points, and one before and after the grid. */
export function resample(database: Database, windows: PointWindow[], grid: StepGrid): Sampled[] {
  const stretches = Math.max(1, (grid.end - grid.start + 1) / grid.width)
  const size = Math.ceil(stretches) + 2
  // at once, for a list each would keep the collector busy
  const all = new Float64Array(3 * size * windows.length)
  let known: { of: Float64Array; cut: Cut } | null = null
  return windows.map((window, i) => {
    const list = (k: number) => all.subarray((3 * i + k) * size, (3 * i + k + 1) * size)
    const room = { values: list(0), min: list(1), max: list(2) }
    const { points } = window
    if (!points) return samplePieces(database, window, grid, stretches, { steps: new Float64Array(size), ...room })
    if (!known || !isPartOf(known.of, points.steps)) known = { of: points.steps, cut: cutOf(points.steps, grid) }
    return samplePoints(points.values, known.cut, room)
  })
}

/** Whether two lists are the same part of the same memory. */
const isPartOf = (a: Float64Array, b: Float64Array) =>
  a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length

/** Of a list of steps, the stretches of a grid that have some: before which index each ends, and the step that stands for it. */
interface Cut {
  ends: Uint32Array
  steps: Float64Array
}

function cutOf(steps: Float64Array, grid: StepGrid): Cut {
  const [ends, middles]: [number[], number[]] = [[], []]
  for (let i = 0; i < steps.length; ) {
    const first = steps[i] ?? Number.NaN
    const bucket = bucketOf(first, grid)
    const end = endOf(bucket, grid)
    do i++
    while (i < steps.length && (steps[i] ?? Number.NaN) < end)
    ends.push(i)
    middles.push(stepOf(bucket, first, steps[i - 1] ?? Number.NaN, grid))
  }
  return { ends: Uint32Array.from(ends), steps: Float64Array.from(middles) }
}

function samplePoints(points: Float64Array, { ends, steps }: Cut, room: Omit<Sampled, 'steps'>): Sampled {
  const { values, min, max } = room
  for (let stretch = 0, i = 0; stretch < ends.length; stretch++) {
    const end = ends[stretch] ?? 0
    let numbers = 0
    let sum = 0
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (; i < end; i++) {
      const value = points[i] as number
      if (Number.isNaN(value)) continue
      numbers++
      sum += value
      if (value < low) low = value
      if (value > high) high = value
    }
    values[stretch] = numbers > 0 ? sum / numbers : Number.NaN
    min[stretch] = numbers > 0 ? low : Number.NaN
    max[stretch] = numbers > 0 ? high : Number.NaN
  }
  const cut = (list: Float64Array) => list.subarray(0, ends.length)
  return { steps, values: cut(values), min: cut(min), max: cut(max) }
}

/** The same of a series that lies in several chunks, in lists that have room for it. */
function samplePieces(
  database: Database,
  { run, metric, from, to }: PointWindow,
  grid: StepGrid,
  stretches: number,
  { steps, values, min, max }: Sampled,
): Sampled {
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
  for (const piece of readPieces(database, run, metric, from, to, level)) {
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
