import type { Environment } from '../records/environment.ts'
import { against, type ValueOptions } from './against.ts'
import { type Chart, noteOf, type ResultRow } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

/** A run, how fast it was trained, and on what. */
export interface ThroughputRow extends ResultRow {
  /** Examples of a step. */
  batch: number
  /** Times of its steps, without evaluation, in ms: each the mean of some. */
  stepMs: readonly number[]
  backend: string
  device: string
  /** Null for a run of before environments were recorded. */
  environment: Pick<Environment, 'runtime' | 'platform' | 'cores' | 'threads' | 'adapter'> | null
  /** ms since 1970; null while it is not known. */
  startedAt: number
  endedAt: number | null
}

/** Axes whose places are this many times apart are logarithmic. */
const WIDE = 4

/** Of more points, names are left to the pointer. */
const NAMED = 12

/**
 * A metric against the examples that a second of training takes, as in the tables of "MLP-Mixer": a run counts with the
 * median of its step times. What was trained on another machine, backend or number of threads is drawn apart.
 */
export function throughput(rows: ThroughputRow[], options: ValueOptions, style: FigureStyle): Chart {
  const places = [...new Set(rows.map(placeOf))]
  const placed = rows.map((row) => {
    const name = places.length > 1 ? `${row.variant} (${places.indexOf(placeOf(row)) + 1})` : row.variant
    const { seed, run, value } = row
    return { family: name, point: name, seed, run, value, x: examplesPerSecond(row) }
  })
  const paces = placed.map(({ x }) => x).filter(Number.isFinite)
  const labels = { title: `${options.metric} against throughput`, xLabel: 'training examples per second' }
  const logX = Math.max(...paces) >= WIDE * Math.min(...paces)
  const chart = against(
    placed,
    { ...labels, logX, named: new Set(placed.map(({ point }) => point)).size <= NAMED, ...options },
    style,
  )
  const told = [
    ...(chart.note === undefined ? [] : [chart.note]),
    ...(places.length > 0
      ? [`Throughput of training, by the median of the times of a step, ${placesText(places)}.`]
      : []),
    ...(overlap(rows) ? ['Some were trained at the same time, which makes each of them slower.'] : []),
  ]
  return { ...chart, ...noteOf(told) }
}

function placesText(places: string[]): string {
  if (places.length === 1) return `on ${places[0]}`
  const listed = places.map((place, i) => `(${i + 1}) ${place}`).join('; ')
  return `on several machines or backends, which are not to be compared: ${listed}`
}

/** NaN where no time is known. */
function examplesPerSecond({ batch, stepMs }: ThroughputRow): number {
  const sorted = stepMs.filter((ms) => ms > 0 && Number.isFinite(ms)).sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  return (1000 * batch) / median
}

/** What a run was trained on, in words: two runs with the same words can be compared. */
function placeOf({ backend, device, environment }: ThroughputRow): string {
  if (!environment) return `${backend}, ${device}`
  const { runtime, platform, cores, threads, adapter } = environment
  const on = backend === 'simd' || backend === 'cpu' ? `${threads} of ${cores} threads` : (adapter ?? device)
  return `${backend}, ${on}, ${runtime}, ${platform}`
}

/** Whether two of the runs were in training at the same time. */
function overlap(rows: ThroughputRow[]): boolean {
  const ended = rows.flatMap(({ startedAt, endedAt }) => (endedAt === null ? [] : [{ startedAt, endedAt }]))
  ended.sort((a, b) => a.startedAt - b.startedAt)
  return ended.some(({ startedAt }, i) => i > 0 && startedAt < (ended[i - 1]?.endedAt ?? 0))
}
