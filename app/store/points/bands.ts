import type { SeriesBand, SeriesGroup, StepRange } from '../../../engine/records/series.ts'
import { type Line, valueAt } from '../../../engine/study/align.ts'
import type { Database } from '../database.ts'
import { readPoints } from './chunk.ts'
import { metricId } from './metric.ts'
import { gridOf, resample, type Sampled } from './resample.ts'
import { checkView, type PointWindow, windowOf } from './window.ts'

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
  const windows = groups.map(({ runs }) => {
    return metric === null ? [] : runs.map((run) => windowOf(database, run, metric, range))
  })
  const lines = exact(database, windows, buckets) ?? resampled(database, windows, buckets, range)
  return groups.map((group, i) => ({ group: group.name, metric: name, ...bandOf(lines[i] ?? [], range) }))
}

/** The points themselves; null where they lie on more than `buckets` different steps, or two on the same. */
function exact(database: Database, windows: PointWindow[][], buckets: number): Sampled[][] | null {
  if (windows.flat().some(({ from, to }) => to - from > buckets)) return null
  const lines = windows.map((group) =>
    group.map(({ run, metric, from, to }) => {
      const points = readPoints(database, run, metric, from, to)
      const values = Array.from(points.values)
      return { steps: Array.from(points.steps), values, min: values, max: values }
    }),
  )
  const all = lines.flat()
  if (all.some(({ steps }) => steps.some((step, i) => step === steps[i - 1]))) return null
  return stepsOf(all).length > buckets ? null : lines
}

function resampled(database: Database, windows: PointWindow[][], buckets: number, range?: StepRange): Sampled[][] {
  const grid = gridOf(windows.flat(), buckets, range)
  return windows.map((group) => group.map((window) => resample(database, window, grid)))
}

/** Mean, deviation and extremes at every step where a run has a point. */
function bandOf(lines: Sampled[], range?: StepRange): Omit<SeriesBand, 'group' | 'metric'> {
  const all = stepsOf(lines)
  const steps = range ? all.slice(...around(all, range)) : all
  const runs = lines.map((line) => ({
    values: valuesAt(line, line.values, steps),
    min: valuesAt(line, line.min, steps),
    max: valuesAt(line, line.max, steps),
  }))
  const band: Omit<SeriesBand, 'group' | 'metric'> = { steps: [], mean: [], sd: [], min: [], max: [], n: [] }
  for (let i = 0; i < steps.length; i++) {
    let [n, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const run of runs) {
      const value = run.values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      n++
      sum += value
      min = Math.min(min, run.min[i] ?? value)
      max = Math.max(max, run.max[i] ?? value)
    }
    if (n === 0) continue
    const mean = sum / n
    let squares = 0
    for (const run of runs) {
      const value = run.values[i] ?? Number.NaN
      if (!Number.isNaN(value)) squares += (value - mean) ** 2
    }
    band.steps.push(steps[i] ?? Number.NaN)
    band.mean.push(mean)
    band.sd.push(n > 1 ? Math.sqrt(squares / (n - 1)) : null)
    band.min.push(min)
    band.max.push(max)
    band.n.push(n)
  }
  return band
}

/** All steps of some lines, in order. */
function stepsOf(lines: Line[]): number[] {
  const first = lines[0]?.steps ?? []
  // Runs of a study have the same ones.
  if (lines.every(({ steps }) => same(steps, first))) return first
  return [...new Set(lines.flatMap(({ steps }) => steps))].sort((a, b) => a - b)
}

/** The values of a line at some steps, as `valueAt` has it. */
function valuesAt({ steps: own }: Line, values: number[], steps: number[]): number[] {
  return same(own, steps) ? values : steps.map((step) => valueAt({ steps: own, values }, step))
}

function same(a: number[], b: number[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Where among some steps those of a range and the ones next to it begin and end. */
function around(steps: number[], [from, to]: StepRange): [begin: number, end: number] {
  const first = steps.findIndex((step) => step >= from)
  const after = steps.findIndex((step) => step > to)
  return [Math.max(0, (first < 0 ? steps.length : first) - 1), after < 0 ? steps.length : after + 1]
}
