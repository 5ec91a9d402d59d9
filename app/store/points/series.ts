import type { Series, StepRange } from '../../../engine/records/series.ts'
import type { Line } from '../../../engine/study/align.ts'
import type { Database } from '../database.ts'
import { readPoints } from './chunk.ts'
import { addEntry, addPoints, emptyEntry, type LevelEntry } from './entry.ts'
import { levelFor, readPieces, type SeriesPiece } from './levels.ts'
import { metricId } from './metric.ts'
import { checkView, type PointWindow, windowOf } from './window.ts'

/** One series per id, in that order and empty where there are no points; at most about `buckets` points each. */
export function readSeries(
  database: Database,
  ids: number[],
  metric: string,
  buckets = 1000,
  range?: StepRange,
): Series[] {
  checkView(buckets, range)
  return database.read(() => {
    const known = metricId(database, metric)
    return ids.map((run) => {
      if (known === null) return { run, steps: [], values: [] }
      return { run, ...decimateStored(database, windowOf(database, run, known, range), buckets) }
    })
  })
}

/**
 * At most about `buckets` of the points of a window, in their order: of each stretch its smallest and largest value, the
 * first one that is not a number, and the two ends. Everything is kept where there are no more than `buckets`.
 */
function decimateStored(database: Database, { run, metric, from, to }: PointWindow, buckets: number): Line {
  const count = to - from
  if (count <= buckets) return unpacked(database, run, metric, from, to)
  const stretches = Math.max(1, Math.floor(buckets / 2))
  const pieces = readPieces(database, run, metric, from, to, levelFor(count, stretches))
  const first = unpacked(database, run, metric, from, from + 1)
  const last = unpacked(database, run, metric, to - 1, to)

  const result: Line = { steps: [...first.steps], values: [...first.values] }
  for (const entry of stretchesOf(pieces, from, count, stretches)) {
    for (const [step, value] of pointsOf(entry)) {
      if ([first, last].some((end) => end.steps[0] === step && Object.is(end.values[0], value))) continue
      result.steps.push(step)
      result.values.push(value)
    }
  }
  return { steps: [...result.steps, ...last.steps], values: [...result.values, ...last.values] }
}

function unpacked(database: Database, run: number, metric: number, from: number, to: number): Line {
  const { steps, values } = readPoints(database, run, metric, from, to)
  return { steps: Array.from(steps), values: Array.from(values) }
}

/** Takes pieces of a series together into stretches of about the same number of points. */
function stretchesOf(pieces: SeriesPiece[], from: number, count: number, stretches: number): LevelEntry[] {
  const entries = Array.from({ length: stretches }, emptyEntry)
  const stretchOf = (index: number) => Math.floor(((index - from) * stretches) / count)
  const startOf = (stretch: number) => from + Math.ceil((stretch * count) / stretches)
  for (const piece of pieces) {
    if ('entries' in piece) {
      for (const [i, entry] of piece.entries.entries()) {
        const stretch = entries[stretchOf(piece.from + i * piece.size)]
        if (stretch) addEntry(stretch, entry)
      }
    } else {
      const end = piece.points.values.length
      for (let i = 0; i < end; ) {
        const number = stretchOf(piece.from + i)
        const next = Math.min(end, startOf(number + 1) - piece.from)
        const stretch = entries[number]
        if (stretch) addPoints(stretch, piece.points, i, next)
        i = next
      }
    }
  }
  return entries
}

/** The points that stand for a stretch, in their order. */
function pointsOf({ min, minStep, max, maxStep, nanStep }: LevelEntry): [step: number, value: number][] {
  const points: [number, number][] = [[minStep, min]]
  if (maxStep !== minStep || max !== min) points.push([maxStep, max])
  points.push([nanStep, Number.NaN])
  return points.filter(([step]) => !Number.isNaN(step)).sort(([a], [b]) => a - b)
}
