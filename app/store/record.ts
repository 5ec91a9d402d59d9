import { MixlabError } from '../../engine/errors.ts'
import type { MetricSummary, RunStatus } from '../../engine/study/types.ts'
import type { TrainEvent } from '../../engine/train/events.ts'
import { appendPoints } from './chunk.ts'
import type { Database } from './database.ts'
import type { Objects } from './objects.ts'
import { toSummary, unknownRun } from './run.ts'
import { higherIsBetter, type Points, summarize } from './summary.ts'

/** What a batch of events says, all events taken together. */
interface Batch {
  step: number
  planned: { steps: number; parameters: number } | null
  ending: { status: RunStatus; error: string | null } | null
  weights: Uint8Array | null
  series: Map<string, Points>
}

/** Appends events to a run in one transaction. Throws MixlabError `store` for an unknown run or a malformed event. */
export function record(database: Database, objects: Objects, run: number, events: TrainEvent[]): void {
  const batch = gather(events)
  const { weights, series } = batch
  // Before the transaction, so that a row never names an object that is not on the disk.
  const hash = weights && objects.write(weights)
  const replaced = database.write(() => {
    const before = database.get<{ weights: string | null }>('select weights from run where id = ?', run)
    if (!before) throw unknownRun(run)
    updateRun(database, run, batch)
    for (const [name, points] of series) appendMetric(database, run, name, points)
    if (!hash) return null
    // Another process may have just removed the same bytes as unused; it cannot while this one holds the lock.
    if (!objects.has(hash)) objects.write(weights)
    database.run('update run set weights = ? where id = ?', hash, run)
    return before.weights
  })
  if (replaced && replaced !== hash) removeUnused(database, objects, replaced)
}

function gather(events: TrainEvent[]): Batch {
  const batch: Batch = { step: 0, planned: null, ending: null, weights: null, series: new Map() }
  for (const event of events) {
    if (event.type !== 'start') batch.step = Math.max(batch.step, checkCount(event.type, 'step', event.step))
    switch (event.type) {
      case 'start': {
        const { steps, parameters } = event
        checkCount('start', 'steps', steps)
        batch.planned = { steps, parameters: checkCount('start', 'parameters', parameters) }
        break
      }
      case 'step':
        break
      case 'metric': {
        const { name, step, value } = event
        if (typeof name !== 'string' || name === '') throw new MixlabError('store', 'metric.name', 'must not be empty')
        if (typeof value !== 'number') throw new MixlabError('store', name, `${value}: a metric must be a number`)
        const points = batch.series.get(name) ?? { steps: [], values: [] }
        points.steps.push(step)
        points.values.push(value)
        batch.series.set(name, points)
        break
      }
      case 'checkpoint':
        if (!event.weights.length) throw new MixlabError('store', 'checkpoint.weights', 'must not be empty')
        batch.weights = event.weights
        break
      case 'failed':
        batch.ending = { status: 'failed', error: event.message }
        break
      case 'done':
      case 'interrupted':
        batch.ending = { status: event.type, error: null }
        break
      default:
        throw new MixlabError('store', 'event', `unknown kind ${JSON.stringify(event)}`)
    }
  }
  return batch
}

function checkCount(event: string, field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new MixlabError('store', `${event}.${field}`, `${value}: must be a whole number, 0 or more`)
}

function updateRun(database: Database, run: number, { step, planned, ending }: Batch): void {
  const now = Date.now()
  database.run('update run set step = max(step, ?), recorded_at = ? where id = ?', step, now, run)
  if (planned) {
    database.run('update run set steps = ?, parameters = ? where id = ?', planned.steps, planned.parameters, run)
  }
  if (ending) {
    // What is done or failed stays so.
    database.run(
      `update run set status = ?, error = ?, ended_at = ? where id = ? and status in ('running', 'interrupted')`,
      ending.status,
      ending.error,
      now,
      run,
    )
  }
}

function appendMetric(database: Database, run: number, name: string, points: Points): void {
  database.run('insert or ignore into metric_name (name) values (?)', name)
  const metric = database.get<{ id: number }>('select id from metric_name where name = ?', name)?.id ?? 0
  appendPoints(database, run, metric, points)
  const row = database.get<Parameters<typeof toSummary>[0]>(
    'select last, last_step, best, best_step, min, max, count from metric_summary where run = ? and metric = ?',
    run,
    metric,
  )
  writeSummary(database, run, metric, summarize(row ? toSummary(row) : null, points, higherIsBetter(name)))
}

function writeSummary(database: Database, run: number, metric: number, summary: MetricSummary): void {
  const { last, lastStep, best, bestStep, min, max, count } = summary
  database.run(
    `insert or replace into metric_summary (run, metric, last, last_step, best, best_step, min, max, count)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[run, metric, last, lastStep, best, bestStep, min, max, count],
  )
}

// After the commit that let go of it: were it removed before and the commit failed, weights would be lost.
function removeUnused(database: Database, objects: Objects, hash: string): void {
  try {
    database.write(() => {
      if (!database.get('select 1 from run where weights = ? limit 1', hash)) objects.remove(hash)
    })
  } catch {
    // The events are in the store; a file too many harms nobody.
  }
}
