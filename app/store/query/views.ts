import type BetterSqlite3 from 'better-sqlite3'
import { COLUMNS, exampleRows } from '../../../engine/examples/rows.ts'
import { unpackOutcomes } from '../../../engine/records/outcomes/pack.ts'
import type { Objects } from '../objects.ts'
import { type StoredChunk, unpackChunk } from '../points/chunk.ts'
import { TRAINED_MS } from '../trained.ts'

/** Of more metrics than this, the later ones have no column in `runs`; SQLite allows 2,000 columns. */
const MAX_METRICS = 500

const RUN_COLUMNS = `run.id, run.study, run.variant, run.seed, run.status, run.backend, run.device, run.step, run.steps,
  run.parameters, run.macs, datetime(run.started_at / 1000, 'unixepoch') as started,
  ${TRAINED_MS} / 1000.0 as seconds,
  round(${TRAINED_MS} * 1.0 / nullif(run.step, 0), 3) as ms_per_step,
  run.error, (select notebook from run_origin where run_origin.run = run.id) as notebook,
  (select cell from run_origin where run_origin.run = run.id) as cell`

const STUDIES = `select study, count(distinct variant) as variants, count(*) as runs,
  sum(status = 'done') as done, sum(status = 'running') as running,
  sum(status = 'failed') as failed, sum(status = 'interrupted') as interrupted,
  datetime(min(started_at) / 1000, 'unixepoch') as first_started,
  datetime(max(coalesce(ended_at, recorded_at)) / 1000, 'unixepoch') as last_active
  from run group by study`

/** `run` and `name` come from the summaries, so that a condition on them saves reading the points of the others. */
const METRIC = `select summary.run, metric_name.name, points.step, points.value
  from metric_summary as summary cross join metric_name on metric_name.id = summary.metric
  cross join points(summary.run, summary.metric)`

const METRICS = `select s.run, n.name, s.last, s.last_step, s.best, s.best_step, s.min, s.max, s.count,
  m.json ->> '$.better' as better, m.json ->> '$.unit' as unit, m.json ->> '$.bounds[0]' as low,
  m.json ->> '$.bounds[1]' as high, m.json ->> '$.words' as words
  from metric_summary as s cross join metric_name as n on n.id = s.metric left join metric_meaning as m on m.id = s.meaning`

const EXAMPLE = `select run_outcomes.run, came.* from run_outcomes cross join outcomes(run_outcomes.object) as came`

/**
 * Gives a connection the view `example`: a row per test example that is kept of a run, read from the objects of the store.
 */
export function addExamples(connection: BetterSqlite3.Database, objects: Objects): void {
  connection.table('outcomes', {
    parameters: ['object'],
    columns: [...COLUMNS],
    *rows(object: unknown) {
      const packed = objects.read(String(object))
      if (!packed) return
      for (const row of exampleRows(unpackOutcomes(packed, 'a run'))) yield COLUMNS.map((column) => row[column])
    },
  })
  connection.exec(`create temp view example as ${EXAMPLE}`)
}

/**
 * Gives a connection the views of docs/notebook.md: `metric` (a row per point), `metrics` (a row per metric of a run),
 * `runs` (a row per run, with a column per metric that holds its last value) and `studies`. `points` is another one on the
 * same file: a connection cannot be asked while it asks a table of ours.
 */
export function addViews(connection: BetterSqlite3.Database, points: BetterSqlite3.Database): void {
  const chunks = points.prepare<[unknown, unknown], StoredChunk>(
    'select step_data, value_data from metric_chunk where run = ? and metric = ? order by number',
  )
  connection.table('points', {
    parameters: ['run', 'metric'],
    columns: ['step', 'value'],
    *rows(run: unknown, metric: unknown) {
      for (const chunk of chunks.iterate(run, metric)) {
        const { steps, values } = unpackChunk(chunk)
        for (const [i, step] of steps.entries()) yield [step, values[i] ?? null]
      }
    },
  })
  connection.exec(`create temp view metric as ${METRIC}`)
  connection.exec(`create temp view runs as select ${[RUN_COLUMNS, ...lastValues(connection)].join(', ')} from run`)
  connection.exec(`create temp view metrics as ${METRICS}`)
  connection.exec(`create temp view studies as ${STUDIES}`)
}

/** A column per metric. Each is a look-up of its own, made only where the column is asked for. */
function lastValues(connection: BetterSqlite3.Database): string[] {
  const fixed = connection.prepare(`select ${RUN_COLUMNS} from run`).columns()
  const taken = new Set(fixed.map(({ name }) => name.toLowerCase()))
  const metrics = connection
    .prepare<[number], { id: number; name: string }>('select id, name from metric_name order by id limit ?')
    .all(MAX_METRICS)
  return metrics.flatMap(({ id, name }) => {
    const key = name.toLowerCase()
    if (taken.has(key)) return []
    taken.add(key)
    const value = `select last from metric_summary where metric_summary.run = run.id and metric = ${id}`
    return [`(${value}) as "${name.replaceAll('"', '""')}"`]
  })
}
