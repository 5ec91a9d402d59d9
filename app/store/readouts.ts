import { MixlabError } from '../../engine/errors.ts'
import { type MetricMeaning, parseMeaning } from '../../engine/records/meaning.ts'
import type { PlannedReadout, ReadoutValue } from '../../engine/records/readout.ts'
import type { MetricSummary } from '../../engine/records/run.ts'
import type { ShownReadout } from '../../engine/records/store.ts'
import type { Database } from './database.ts'
import type { StoreParts } from './parts.ts'
import { metricId } from './points/metric.ts'
import { writeSummary } from './points/summary.ts'
import { checkRun, NOT_ARCHIVED } from './run.ts'

/** Notes when read-outs are first planned for the runs of some keys. */
export function planReadouts(
  database: Database,
  keys: Iterable<string>,
  planned: readonly PlannedReadout[],
  at: number,
): void {
  for (const key of keys) {
    for (const { digest } of planned) {
      database.run('insert or ignore into readout_plan (key, digest, planned_at) values (?, ?, ?)', key, digest, at)
    }
  }
}

/**
 * Lets the runs among `keys` that are done and not archived show the values of these read-outs that are kept, and no
 * value that was computed by other code, or by cells of another notebook, under the name of one of them. Returns what is
 * shown.
 */
export function showReadouts(
  database: StoreParts,
  keys: string[],
  planned: PlannedReadout[],
  notebook = '',
): ShownReadout[] {
  return database.write(() => {
    const runs = database.all<{ id: number; step: number }>(
      `select run.id, step from json_each(?) as wanted cross join run on run.key = wanted.value
       where status = 'done' and ${NOT_ARCHIVED} order by run.id`,
      JSON.stringify([...new Set(keys)]),
    )
    return runs.flatMap(({ id, step }) => planned.flatMap((each) => shown(database, { id, step }, each, notebook)))
  })
}

/**
 * Keeps the value of a read-out of a run that is done, and shows it. Of test examples it is exploratory where it was
 * planned after a run of that key was over. One that is kept stays. Throws MixlabError `store` for another run, and for a
 * name under which the run has recorded a metric.
 */
export function keepReadout(database: StoreParts, run: number, given: ReadoutValue, notebook = ''): MetricSummary {
  const { metric: name, digest, value, test } = given
  checkRun(database, run)
  const meaning: MetricMeaning = { ...parseMeaning(given.meaning, name), readout: digest, exploratory: undefined }
  return database.write(() => {
    const { key, step, status } = database.get<{ key: string; step: number; status: string }>(
      'select key, step, status from run where id = ?',
      run,
    ) as { key: string; step: number; status: string }
    if (status !== 'done') throw new MixlabError('store', `run ${run}`, `is ${status}, expected one that is done`)
    const metric = metricId(database, name) ?? database.run('insert into metric_name (name) values (?)', name)
    if (database.get('select 1 from metric_chunk where run = ? and metric = ?', run, metric)) {
      const why = `has measured '${name}' while it was trained; give the read-out another name`
      throw new MixlabError('store', `run ${run}`, why)
    }
    const marked = test && isExploratory(database, key, digest) ? { ...meaning, exploratory: true } : meaning
    const sql =
      'insert or ignore into readout (run, digest, metric, notebook, value, meaning) values (?, ?, ?, ?, ?, ?)'
    database.run(sql, run, digest, metric, notebook, value, JSON.stringify(marked))
    const [kept] = shown(database, { id: run, step }, given, notebook)
    return (kept as ShownReadout).summary
  })
}

/** Whether a run of the key was over before the read-out was planned. */
function isExploratory(database: Database, key: string, digest: string): boolean {
  const sql = `select 1 from run where key = ? and status = 'done' and ended_at <= coalesce(
    (select planned_at from readout_plan where readout_plan.key = run.key and digest = ?), ended_at)`
  return database.get(sql, key, digest) !== undefined
}

/** Writes the summary of a read-out of a run, or removes that of other code. */
function shown(
  database: Database,
  { id: run, step }: { id: number; step: number },
  { metric: name, digest }: PlannedReadout,
  notebook: string,
): ShownReadout[] {
  const metric = metricId(database, name)
  if (metric === null) return []
  const row = database.get<{ value: number | null; meaning: string }>(
    'select value, meaning from readout where run = ? and digest = ? and metric = ? and notebook = ?',
    ...[run, digest, metric, notebook],
  )
  if (!row) {
    database.run(
      `delete from metric_summary where run = ? and metric = ?
       and exists (select 1 from readout where run = metric_summary.run and metric = metric_summary.metric)`,
      ...[run, metric],
    )
    return []
  }
  const summary = summaryOf(row.value ?? Number.NaN, step, JSON.parse(row.meaning) as MetricMeaning)
  writeSummary(database, run, metric, summary)
  return [{ run, metric: name, digest, summary }]
}

function summaryOf(value: number, step: number, meaning: MetricMeaning): MetricSummary {
  const [last, best, min, max] = [value, value, value, value]
  return { last, lastStep: step, best, bestStep: step, min, max, count: 1, meaning }
}
