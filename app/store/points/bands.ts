import type { SeriesBand, SeriesGroup, StepRange } from '../../../engine/records/series.ts'
import type { Database } from '../database.ts'
import { readPoints } from './chunk.ts'
import { metricId } from './metric.ts'
import { blankLists, gridOf, resample, type Sampled } from './resample.ts'
import { storedSeries } from './stored.ts'
import { checkView, type PointWindow, windowIn } from './window.ts'

/** A band per metric and group, by metric; see `Host.readBands`. */
export function readBands(
  database: Database,
  groups: SeriesGroup[],
  metrics: string[],
  buckets = 500,
  range?: StepRange,
): SeriesBand[] {
  checkView(buckets, range)
  return database.read(() => metrics.flatMap((name) => bandsOf(database, groups, name, buckets, range)))
}

function bandsOf(
  database: Database,
  groups: SeriesGroup[],
  name: string,
  buckets: number,
  range?: StepRange,
): SeriesBand[] {
  const metric = metricId(database, name)
  const all = [...new Set(groups.flatMap(({ runs }) => runs))]
  const series = metric === null ? null : storedSeries(database, metric, all)
  const windows = groups.map(({ runs }) => {
    return metric === null ? [] : runs.map((run) => windowIn(database, run, metric, series?.get(run), range))
  })
  const lines = exact(database, windows, buckets) ?? resampled(database, windows, buckets, range)
  return groups.map((group, i) => ({ group: group.name, metric: name, ...bandOf(lines[i] ?? [], range) }))
}

/** The points themselves; null where they lie on more than `buckets` different steps, or two on the same. */
function exact(database: Database, windows: PointWindow[][], buckets: number): Sampled[][] | null {
  if (windows.flat().some(({ from, to }) => to - from > buckets)) return null
  const lines = windows.map((group) =>
    group.map(({ run, metric, from, to, points }) => {
      const { steps, values } = points ?? readPoints(database, run, metric, from, to)
      return { steps, values, min: values, max: values }
    }),
  )
  const all = lines.flat()
  if (all.some(({ steps }) => steps.some((step, i) => step === steps[i - 1]))) return null
  return stepsOf(all).length > buckets ? null : lines
}

function resampled(database: Database, windows: PointWindow[][], buckets: number, range?: StepRange): Sampled[][] {
  const grid = gridOf(windows.flat(), buckets, range)
  return windows.map((group) => resample(database, group, grid))
}

/** Mean, deviation and extremes at every step where a run has a point. */
function bandOf(lines: Sampled[], range?: StepRange): Omit<SeriesBand, 'group' | 'metric'> {
  const all = stepsOf(lines)
  const steps = range ? all.slice(...around(all, range)) : all
  const runs = lines.map((line) => atSteps(line, steps))
  const [n, sum, squares] = [
    new Uint32Array(steps.length),
    new Float64Array(steps.length),
    new Float64Array(steps.length),
  ]
  const min = new Float64Array(steps.length).fill(Number.POSITIVE_INFINITY)
  const max = new Float64Array(steps.length).fill(Number.NEGATIVE_INFINITY)
  // run by run, as they lie in memory
  for (const run of runs) {
    for (let i = 0; i < steps.length; i++) {
      const value = run.values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      n[i] = (n[i] ?? 0) + 1
      sum[i] = (sum[i] ?? 0) + value
      min[i] = Math.min(min[i] ?? 0, run.min[i] ?? value)
      max[i] = Math.max(max[i] ?? 0, run.max[i] ?? value)
    }
  }
  const mean = sum.map((total, i) => total / (n[i] ?? 0))
  for (const { values } of runs) {
    for (let i = 0; i < steps.length; i++) {
      const value = values[i] ?? Number.NaN
      if (!Number.isNaN(value)) squares[i] = (squares[i] ?? 0) + (value - (mean[i] ?? 0)) ** 2
    }
  }
  const places = Array.from(n.keys()).filter((i) => (n[i] ?? 0) > 0)
  const listed = (numbers: ArrayLike<number>) => places.map((i) => numbers[i] ?? Number.NaN)
  const sd = places.map((i) => {
    const count = n[i] ?? 0
    return count > 1 ? Math.sqrt((squares[i] ?? 0) / (count - 1)) : null
  })
  return { steps: listed(steps), mean: listed(mean), sd, min: listed(min), max: listed(max), n: listed(n) }
}

/** All steps of some lines, in order. */
function stepsOf(lines: Sampled[]): Float64Array {
  const first = lines[0]?.steps ?? new Float64Array()
  // Runs of a study have the same ones.
  if (lines.every(({ steps }) => same(steps, first))) return first
  const all = new Set<number>()
  for (const { steps } of lines) for (const step of steps) all.add(step)
  return Float64Array.from(all).sort()
}

/** A line at some steps: between its own on the straight line between these; NaN outside of them. */
function atSteps(line: Sampled, wanted: Float64Array): Omit<Sampled, 'steps'> {
  const { steps, values, min, max } = line
  if (same(steps, wanted)) return line
  const [ownValues, ownMin, ownMax] = blankLists(3, wanted.length) as [Float64Array, Float64Array, Float64Array]
  const found = { values: ownValues, min: ownMin, max: ownMax }
  let next = 0
  for (let i = 0; i < wanted.length; i++) {
    const step = wanted[i] ?? Number.NaN
    while (next < steps.length && (steps[next] ?? Number.NaN) < step) next++
    const right = steps[next] ?? Number.NaN
    if (right === step) {
      found.values[i] = values[next] ?? Number.NaN
      found.min[i] = min[next] ?? Number.NaN
      found.max[i] = max[next] ?? Number.NaN
    } else if (next > 0 && next < steps.length) {
      const left = steps[next - 1] ?? Number.NaN
      const between = (list: Float64Array) => {
        const lower = list[next - 1] ?? Number.NaN
        return lower + (((list[next] ?? Number.NaN) - lower) * (step - left)) / (right - left)
      }
      found.values[i] = between(values)
      found.min[i] = between(min)
      found.max[i] = between(max)
    }
  }
  return found
}

function same(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Where among some steps those of a range and the ones next to it begin and end. */
function around(steps: Float64Array, [from, to]: StepRange): [begin: number, end: number] {
  const first = steps.findIndex((step) => step >= from)
  const after = steps.findIndex((step) => step > to)
  return [Math.max(0, (first < 0 ? steps.length : first) - 1), after < 0 ? steps.length : after + 1]
}
