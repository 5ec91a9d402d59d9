import { MixlabError } from '../../../engine/errors.ts'
import type { RunStatus } from '../../../engine/records/run.ts'
import type { CurveAxis } from '../../../engine/records/series.ts'
import {
  type CurveGroup,
  type CurveLine,
  type CurvesQuery,
  groupName,
  MAX_CURVES,
  MAX_GROUPS,
  MAX_LINES,
  type RunCurves,
} from '../../../engine/runs/curves.ts'
import type { CellValue } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { chunkSize } from '../points/chunk.ts'
import { levelFor, readPieces, type SeriesPiece } from '../points/levels.ts'
import { metricId } from '../points/metric.ts'
import { type PlacedSeries, placed } from '../points/placed.ts'
import { evenPlaces, type Places, placesAt } from '../points/places.ts'
import { type StoredSeries, storedSeries } from '../points/stored.ts'
import { windowOf } from '../points/window.ts'
import { TRAINED_MS } from '../trained.ts'
import { expressionOf, type Sql } from './expression.ts'
import { resolveQuery, SOURCE } from './query.ts'

const option = (name: string) => expressionOf({ kind: 'option', name })
const BATCH = 'train.batch'
const TRAIN = 'task.options.data.options.train'

/** How much of an axis a step of a run takes, as SQL over `run` and `entry`: null where that is not known. */
function perStepOf(x: CurveAxis): Sql {
  const batch = option(BATCH)
  const examples = option(TRAIN)
  const axes: Record<CurveAxis, Sql> = {
    step: { text: '1', values: [] },
    time: { text: `${TRAINED_MS} / 1000.0 / nullif(run.step, 0)`, values: [] },
    macs: { text: `run.macs * ${batch.text}`, values: batch.values },
    examples: batch,
    epochs: {
      text: `${batch.text} * 1.0 / nullif(${examples.text}, 0)`,
      values: [...batch.values, ...examples.values],
    },
  }
  return axes[x]
}

interface FoundRun {
  id: number
  study: string
  variant: string
  seed: number
  status: RunStatus
  perStep: number | string | null
}

/** A run whose points are drawn. */
interface CurveRun extends FoundRun {
  perStep: number
  group: string
  series: StoredSeries
}

/** A metric over training, of the runs that pass a filter, by group; see `Host.readCurves`. */
export function readCurves(database: Database, query: CurvesQuery): RunCurves {
  const { buckets, range } = query
  if (buckets < 2) throw new MixlabError('option', 'buckets', `${buckets}: expected 2 or more`)
  if (range && !(range[0] < range[1])) {
    throw new MixlabError('option', 'range', `${range.join(' to ')}: must go from a place to one after it`)
  }
  return database.read(() => {
    const { total, found } = findRuns(database, query)
    const metric = metricId(database, query.metric)
    const series =
      metric === null
        ? new Map<number, StoredSeries>()
        : storedSeries(
            database,
            metric,
            found.map(({ id }) => id),
          )
    const having = found.flatMap((run) => {
      const own = series.get(run.id)
      return own ? [{ ...run, series: own }] : []
    })
    const runs = having.filter((run): run is CurveRun => typeof run.perStep === 'number' && run.perStep > 0)
    return {
      ...curvesOf(database, query, metric ?? 0, runs),
      runsLeft: total - found.length,
      lacking: found.length - having.length,
      unplaced: having.length - runs.length,
    }
  })
}

function findRuns(database: Database, { filter, by, x }: CurvesQuery) {
  const { where, columns } = resolveQuery(database, { filter, sort: [], columns: by, offset: 0, limit: MAX_CURVES })
  const perStep = perStepOf(x)
  const groups = columns.map(expressionOf)
  const total = database.get<{ n: number }>(`select count(*) as n from ${SOURCE} where ${where.text}`, ...where.values)
  const rows = database.all<FoundRun & Record<string, CellValue>>(
    `select run.id, ${expressionOf({ kind: 'fact', name: 'study' }).text} as study,
       ${expressionOf({ kind: 'fact', name: 'variant' }).text} as variant, run.seed, run.status, ${perStep.text} as perStep
       ${groups.map(({ text }, i) => `, ${text} as by${i}`).join('')}
     from ${SOURCE} where ${where.text} order by run.id desc limit ?`,
    ...[...perStep.values, ...groups.flatMap(({ values }) => values), ...where.values, MAX_CURVES],
  )
  const found = rows.map((row) => ({ ...row, group: groupName(groups.map((_, i) => row[`by${i}`] ?? null)) }))
  return { total: total?.n ?? 0, found }
}

function curvesOf(
  database: Database,
  query: CurvesQuery,
  metric: number,
  runs: CurveRun[],
): Pick<RunCurves, 'groups' | 'lines' | 'groupsLeft'> {
  const places = placesOf(query, runs)
  const wanted = new Set(query.lines.slice(0, MAX_LINES))
  const running = runs.filter(({ status }) => status === 'running').slice(0, Math.max(0, MAX_LINES - wanted.size))
  const single = new Set([...wanted, ...running.map(({ id }) => id)])
  const asked = query.groups && new Set(query.groups)
  const byGroup = Map.groupBy(
    runs.filter(({ status, group }) => status !== 'running' && asked?.has(group) !== false),
    ({ group }) => group,
  )
  const groups = [...byGroup].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MAX_GROUPS)
  const drawn = new Set(groups.flatMap(([, own]) => own))
  const series = new Map<CurveRun, PlacedSeries>()
  for (const run of runs) {
    if (drawn.has(run) || single.has(run.id))
      series.set(run, placed(piecesOf(database, query, metric, run), run.perStep, places))
  }
  const blank = { values: new Float64Array(), min: new Float64Array(), max: new Float64Array() }
  return {
    groups: groups.map(([name, own]) => ({
      name,
      runs: own.length,
      run: own.length === 1 ? (own[0]?.id ?? null) : null,
      ...bandOf(
        own.map((run) => series.get(run) ?? blank),
        places,
      ),
    })),
    lines: runs.filter(({ id }) => single.has(id)).map((run) => lineOf(run, (series.get(run) ?? blank).values, places)),
    groupsLeft: byGroup.size - groups.length,
  }
}

/** The places of the points themselves where they are few, evenly spread ones otherwise. */
function placesOf({ buckets, logX, range }: CurvesQuery, runs: CurveRun[]): Places {
  const [from, to] = range ?? [logX ? Number.MIN_VALUE : Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const inside = (x: number) => x >= from && x <= to
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { perStep, series } of runs) {
    const start = series.first * perStep
    // of a logarithmic axis the first place is that of the first step after none
    first = Math.min(first, logX && start <= 0 ? perStep : start)
    last = Math.max(last, series.last * perStep)
  }
  function* exact() {
    for (const { perStep, series } of runs) {
      for (const piece of series.pieces ?? []) {
        if ('points' in piece) for (const step of piece.points.steps) if (inside(step * perStep)) yield step * perStep
      }
    }
  }
  const known = runs.every(({ series }) => series.pieces) ? placesAt(exact(), buckets, logX) : null
  return known ?? evenPlaces([Math.max(first, from), Math.max(first, from, Math.min(last, to))], buckets, logX)
}

/** Points that are read one by one at the start of a long series, for a logarithmic axis. */
const START = 4 * chunkSize

function piecesOf(
  database: Database,
  { buckets, logX, range }: CurvesQuery,
  metric: number,
  run: CurveRun,
): SeriesPiece[] {
  const { series, perStep, id } = run
  if (series.pieces) return series.pieces
  const steps = range && ([range[0] / perStep, range[1] / perStep] as [number, number])
  const { from, to } = windowOf(database, id, metric, steps)
  const level = levelFor(to - from, 2 * buckets)
  const even = logX ? Math.min(to, Math.max(from, START)) : from
  return [...readPieces(database, id, metric, from, even, 0), ...readPieces(database, id, metric, even, to, level)]
}

function bandOf(series: PlacedSeries[], places: Places): Pick<CurveGroup, 'x' | 'mean' | 'sd' | 'min' | 'max' | 'n'> {
  const band: ReturnType<typeof bandOf> = { x: [], mean: [], sd: [], min: [], max: [], n: [] }
  for (const [i, x] of places.x.entries()) {
    let [n, mean, squares, low, high] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { values, min, max } of series) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      n++
      const away = value - mean
      mean += away / n
      squares += away * (value - mean)
      low = Math.min(low, min[i] ?? value)
      high = Math.max(high, max[i] ?? value)
    }
    if (n === 0) continue
    band.x.push(x)
    band.mean.push(mean)
    band.sd.push(n > 1 ? Math.sqrt(squares / (n - 1)) : 0)
    band.min.push(low)
    band.max.push(high)
    band.n.push(n)
  }
  return band
}

/** A run where it has values, and one that is none between where it has not. */
function lineOf({ id, study, variant, seed, status, group }: CurveRun, own: Float64Array, places: Places): CurveLine {
  const known = [...own.keys()].filter((i) => !Number.isNaN(own[i]))
  const [first = 0, last = -1] = [known[0], known.at(-1)]
  const [x, values] = [places.x, own].map((each) => Array.from(each.slice(first, last + 1))) as [number[], number[]]
  return { run: id, study, variant, seed, status, group, x, values }
}
