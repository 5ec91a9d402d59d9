import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import type { MetricSummary } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'

/** A summary as stored, NULL being NaN; its meaning as JSON. */
interface SummaryRow {
  run: number
  name: string
  last: number | null
  last_step: number
  best: number | null
  best_step: number
  min: number | null
  max: number | null
  count: number
  meaning: string | null
}

const COLUMNS = `s.run, n.name, s.last, s.last_step, s.best, s.best_step, s.min, s.max, s.count, m.json as meaning`
const NAMED = `cross join metric_name as n on n.id = s.metric left join metric_meaning as m on m.id = s.meaning`

/** The summaries of some runs, each with its run and name. */
export function readSummaries(database: Database, runs: number[]): [number, string, MetricSummary][] {
  const sql = `select ${COLUMNS} from json_each(?) as wanted
    cross join metric_summary as s on s.run = wanted.value ${NAMED}`
  return database.all<SummaryRow>(sql, JSON.stringify(runs)).map((row) => [row.run, row.name, toSummary(row)])
}

/** The summary of a metric of a run; null where it has none. */
export function readSummary(database: Database, run: number, metric: number): MetricSummary | null {
  const sql = `select ${COLUMNS} from metric_summary as s ${NAMED} where s.run = ? and s.metric = ?`
  const row = database.get<SummaryRow>(sql, run, metric)
  return row ? toSummary(row) : null
}

/** Keeps the summary of a metric of a run in place of the one before. */
export function writeSummary(database: Database, run: number, metric: number, summary: MetricSummary): void {
  const { last, lastStep, best, bestStep, min, max, count, meaning } = summary
  const json = meaning ? JSON.stringify(meaning) : null
  if (json) database.run('insert or ignore into metric_meaning (metric, json) values (?, ?)', metric, json)
  database.run(
    `insert or replace into metric_summary (run, metric, last, last_step, best, best_step, min, max, count, meaning)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, (select id from metric_meaning where metric = ? and json = ?))`,
    ...[run, metric, last, lastStep, best, bestStep, min, max, count, metric, json],
  )
}

/** All that metrics of a name were said to mean, by name. */
export function readMeanings(database: Database): Map<string, MetricMeaning[]> {
  const rows = database.all<{ name: string; json: string }>(
    `select name, json from metric_meaning cross join metric_name on metric_name.id = metric_meaning.metric
     order by metric_meaning.id`,
  )
  const byName = Map.groupBy(rows, ({ name }) => name)
  return new Map([...byName].map(([name, own]) => [name, own.map(({ json }) => JSON.parse(json) as MetricMeaning)]))
}

function toSummary(row: SummaryRow): MetricSummary {
  return {
    last: row.last ?? Number.NaN,
    lastStep: row.last_step,
    best: row.best ?? Number.NaN,
    bestStep: row.best_step,
    min: row.min ?? Number.NaN,
    max: row.max ?? Number.NaN,
    count: row.count,
    ...(row.meaning !== null && { meaning: JSON.parse(row.meaning) as MetricMeaning }),
  }
}
