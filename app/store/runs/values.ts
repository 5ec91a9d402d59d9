import type { StoredRun } from '../../../engine/records/run.ts'
import type { Column } from '../../../engine/runs/column.ts'
import type { FactName } from '../../../engine/runs/facts.ts'
import type { CellValue, RunLine } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { type StoredChunk, unpackChunk } from '../points/chunk.ts'
import { TRAINED_MS } from '../trained.ts'

/** A run as the lists show it, its configuration beside it. */
export interface ListedRun extends RunLine {
  configuration: number
}

/** What SQLite gives of a run; what is a flag comes as 0 or 1. */
interface Row
  extends Omit<StoredRun, 'startedAt' | 'endedAt' | 'ms' | 'hasWeights' | 'archived' | 'notebook' | 'metrics'> {
  configuration: number
  weights: number
  archived: number
  note: string
  /** Milliseconds since 1970, and seconds. */
  started: number
  time: number
  notebook: string | null
  cell: string | null
}

interface Summary {
  run: number
  name: string
  last: number | null
  best: number | null
  min: number | null
  max: number | null
}

/** Runs with their values of some columns, in the order of the ids. */
export function readEntries(database: Database, ids: number[], columns: Column[]): ListedRun[] {
  const wanted = JSON.stringify(ids)
  const rows = database.all<Row>(
    `select run.id, run.key, configuration.study, configuration.variant, run.seed, run.status, run.error,
       run.weights is not null as weights, entry.note, entry.archived, entry.configuration, run.started_at as started,
       ${TRAINED_MS} / 1000.0 as time, run.step, run.steps, run.parameters,
       run.macs, run.backend, run.device, origin.notebook, origin.cell
     from json_each(?) as wanted
     cross join run on run.id = wanted.value
     cross join run_entry as entry on entry.run = run.id
     cross join configuration on configuration.id = entry.configuration
     left join run_origin as origin on origin.run = run.id
     order by wanted.key`,
    wanted,
  )
  const tags = tagsOf(database, wanted)
  const options = optionsOf(database, rows, columns)
  const metrics = metricsOf(database, wanted, columns)

  function cellOf(row: Row, column: Column): CellValue {
    if (column.kind === 'fact') return factOf(row, column.name, tags.get(row.id) ?? [])
    if (column.kind === 'option') return options.get(`${row.configuration} ${column.name}`) ?? null
    if (column.kind === 'step') return storedValueAt(database, row.id, column.name, column.step)
    const found = metrics.get(`${row.id} ${column.name}`)
    return found ? (found[column.value] ?? Number.NaN) : null // NULL stands for NaN
  }

  return rows.map((row) => {
    const { id, key, study, variant, seed, status, error, note, configuration } = row
    const own = tags.get(id) ?? []
    const values = columns.map((column) => cellOf(row, column))
    const marks = { hasWeights: row.weights === 1, tags: own, note, archived: row.archived === 1 }
    return { id, key, study, variant, seed, status, error, ...marks, configuration, values }
  })
}

function factOf(row: Row, name: FactName, tags: string[]): CellValue {
  if (name === 'tags') return tags.join(' ') || null
  const value = row[name]
  return value === '' ? null : value
}

function tagsOf(database: Database, wanted: string): Map<number, string[]> {
  const rows = database.all<{ run: number; name: string }>(
    'select run, name from json_each(?) as wanted cross join tag on tag.run = wanted.value order by run, name',
    wanted,
  )
  const found = new Map<number, string[]>()
  for (const { run, name } of rows) {
    const known = found.get(run)
    if (known) known.push(name)
    else found.set(run, [name])
  }
  return found
}

function optionsOf(database: Database, rows: Row[], columns: Column[]): Map<string, string | number> {
  const names = columns.filter((column) => column.kind === 'option').map((column) => column.name)
  if (names.length === 0) return new Map()
  const found = database.all<{ configuration: number; name: string; value: string | number }>(
    `select option.configuration, option_name.name, option.value
     from json_each(?) as wanted cross join json_each(?) as asked
     cross join option_name on option_name.name = asked.value
     cross join option on option.configuration = wanted.value and option.name = option_name.id`,
    JSON.stringify([...new Set(rows.map((row) => row.configuration))]),
    JSON.stringify([...new Set(names)]),
  )
  return new Map(found.map(({ configuration, name, value }) => [`${configuration} ${name}`, value]))
}

function metricsOf(database: Database, wanted: string, columns: Column[]): Map<string, Summary> {
  const names = columns.filter((column) => column.kind === 'metric').map((column) => column.name)
  if (names.length === 0) return new Map()
  const found = database.all<Summary>(
    `select s.run, metric_name.name, s.last, s.best, s.min, s.max
     from json_each(?) as wanted cross join json_each(?) as asked
     cross join metric_name on metric_name.name = asked.value
     cross join metric_summary as s on s.run = wanted.value and s.metric = metric_name.id`,
    wanted,
    JSON.stringify([...new Set(names)]),
  )
  return new Map(found.map((row) => [`${row.run} ${row.name}`, row]))
}

/** The value of a metric of a run at a step, or null where it has none: one chunk is read. */
function storedValueAt(database: Database, run: number, metric: string, step: number): number | null {
  const chunk = database.get<StoredChunk>(
    `select step_data, value_data from metric_chunk
     where run = ? and metric = (select id from metric_name where name = ?) and first_step <= ? and last_step >= ?
     order by number desc limit 1`,
    ...[run, metric, step, step],
  )
  if (!chunk) return null
  const { steps, values } = unpackChunk(chunk)
  const at = steps.lastIndexOf(step)
  return at < 0 ? null : (values[at] ?? null)
}
