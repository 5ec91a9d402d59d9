import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import type { MetricSummary } from '../../../engine/records/run.ts'
import type { Database, Value } from '../database.ts'

/** A summary with its meaning as SQLite gives it, NULL being NaN. */
interface SummaryRow extends MeaningRow {
  run: number
  name: string
  last: number | null
  last_step: number
  best: number | null
  best_step: number
  min: number | null
  max: number | null
  count: number
  meaning: number | null
}

interface MeaningRow {
  better: 'higher' | 'lower' | null
  unit: string | null
  low: number | null
  high: number | null
  words: string | null
  compared: number
}

const SUMMARIES = `select s.run, n.name, s.last, s.last_step, s.best, s.best_step, s.min, s.max, s.count, s.meaning,
    m.better, m.unit, m.low, m.high, m.words, m.compared
  from json_each(?) as wanted
  cross join metric_summary as s on s.run = wanted.value
  cross join metric_name as n on n.id = s.metric
  left join metric_meaning as m on m.id = s.meaning`

/** The summaries of some runs, one after the other. */
export function readSummaries(
  database: Database,
  runs: number[],
): { run: number; name: string; summary: MetricSummary }[] {
  const rows = database.all<SummaryRow>(SUMMARIES, JSON.stringify(runs))
  return rows.map((row) => ({ run: row.run, name: row.name, summary: toSummary(row) }))
}

/** The summary of a metric of a run; null where it has none. */
export function readSummary(database: Database, run: number, metric: number): MetricSummary | null {
  const row = database.get<SummaryRow>(`${SUMMARIES} where s.metric = ?`, JSON.stringify([run]), metric)
  return row ? toSummary(row) : null
}

/** Keeps the summary of a metric of a run in place of the one before. */
export function writeSummary(database: Database, run: number, metric: number, summary: MetricSummary): void {
  const { last, lastStep, best, bestStep, min, max, count, meaning } = summary
  database.run(
    `insert or replace into metric_summary (run, metric, last, last_step, best, best_step, min, max, count, meaning)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[run, metric, last, lastStep, best, bestStep, min, max, count],
    meaning ? meaningId(database, metric, meaning) : null,
  )
}

/** All that metrics of a name were said to mean, by name. */
export function readMeanings(database: Database): Map<string, MetricMeaning[]> {
  const rows = database.all<MeaningRow & { name: string }>(
    `select metric_name.name, metric_meaning.* from metric_meaning
     cross join metric_name on metric_name.id = metric_meaning.metric order by metric_meaning.id`,
  )
  const byName = Map.groupBy(rows, ({ name }) => name)
  return new Map([...byName].map(([name, own]) => [name, own.map(toMeaning)]))
}

/** The id of a meaning of a metric, which is kept once. */
function meaningId(database: Database, metric: number, meaning: MetricMeaning): number {
  const { better = null, unit = null, bounds: [low, high] = [null, null], words = null, compared = false } = meaning
  const values: Value[] = [metric, better, unit, low, high, words, Number(compared)]
  const known = database.get<{ id: number }>(
    `select id from metric_meaning where metric = ? and better is ? and unit is ? and low is ? and high is ?
     and words is ? and compared = ?`,
    ...values,
  )
  const columns = 'metric, better, unit, low, high, words, compared'
  return known?.id ?? database.run(`insert into metric_meaning (${columns}) values (?, ?, ?, ?, ?, ?, ?)`, ...values)
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
    ...(row.meaning !== null && { meaning: toMeaning(row) }),
  }
}

function toMeaning({ better, unit, low, high, words, compared }: MeaningRow): MetricMeaning {
  return {
    ...(better && { better }),
    ...(unit && { unit }),
    ...((low !== null || high !== null) && { bounds: [low, high] }),
    ...(words && { words }),
    ...(compared && { compared: true }),
  }
}
