import { MixlabError } from '../../engine/errors.ts'
import type { PointColumns, RecordedEvent, TrainEvent } from '../../engine/records/events.ts'
import { type MetricMeaning, parseMeaning } from '../../engine/records/meaning.ts'
import type { RunReport } from '../../engine/records/report.ts'
import type { Recorded, Recorder, RunStatus } from '../../engine/records/run.ts'
import type { Line } from '../../engine/study/align.ts'
import { metricSummary } from '../../engine/study/metricSummary.ts'
import type { Database } from './database.ts'
import { truncateHistograms, writeHistograms } from './histograms.ts'
import type { Objects } from './objects.ts'
import { checkOutcomes, truncateOutcomes } from './outcomes.ts'
import type { StoreParts } from './parts.ts'
import { appendPoints } from './points/append.ts'
import { metricId } from './points/metric.ts'
import { readSummary, writeSummary } from './points/summary.ts'
import { truncateSeries } from './points/truncate.ts'
import { truncateReport, writeReport } from './report.ts'
import {
  allObjectsOf,
  forgetState,
  type Kind,
  keepObject,
  keepSnapshot,
  removeUnused,
  truncateSnapshots,
} from './runObjects.ts'
import { TRAINED_MS } from './trained.ts'
import { admitEvents } from './training/admit.ts'

/** Points of a metric, and what they mean. */
type MeantLine = Line & { meaning: MetricMeaning | undefined }

/** What a batch of events says, all events taken together. */
interface Batch {
  step: number
  planned: { steps: number; parameters: number; macs: number | null; resumedAt: number } | null
  ending: { status: RunStatus; error: string | null } | null
  files: Map<Kind | number, { step: number; bytes: Uint8Array }>
  series: Map<string, MeantLine>
  report: { step: number; report: RunReport } | null
  histograms: Extract<TrainEvent, { type: 'histograms' }>[]
}

/**
 * Appends events to a run in one transaction, unless that batch is known. Throws MixlabError `owner` for an earlier owner,
 * and `store` for an unknown or a finished run, one that another process trains, or a malformed event. `at` is when
 * they happened, in ms since 1970, where they are recorded later.
 */
export function record(
  database: StoreParts,
  run: number,
  events: RecordedEvent[],
  by?: Recorder,
  at = Date.now(),
): Recorded {
  const batch = prepare(database.objects, events)
  const { released, recorded } = database.write(() => append(database, run, batch, by, at))
  removeUnused(database, database.objects, released)
  return recorded
}

/**
 * Several batches in their order and in one transaction, which costs little more than one of them; where any of them
 * cannot be recorded, each in one of its own. Returns what `record` returns or throws for each, as functions.
 */
export function recordTogether(database: StoreParts, batches: RecordedBatch[]): (() => Recorded)[] {
  try {
    database.owners.interruptOrphans() // as before every call
    const prepared = batches.map(([run, events, by]) => ({ run, batch: prepare(database.objects, events), by }))
    const at = Date.now()
    const all = database.write(() => prepared.map(({ run, batch, by }) => append(database, run, batch, by, at)))
    removeUnused(
      database,
      database.objects,
      all.flatMap(({ released }) => released),
    )
    return all.map(
      ({ recorded }) =>
        () =>
          recorded,
    )
  } catch (error) {
    return batches.length === 1 ? [failing(error)] : batches.flatMap((each) => recordTogether(database, [each]))
  }
}

/** A run, its events, and who records them. */
export type RecordedBatch = [run: number, events: RecordedEvent[], by?: Recorder]

function failing(error: unknown): () => never {
  return () => {
    throw error
  }
}

/** A batch whose files are on the disk. */
type Prepared = Batch & { written: { kind: Kind | number; step: number; bytes: Uint8Array; hash: string }[] }

/** Writes the files of a batch. Belongs before the transaction, so that a row never names an object that is not there. */
function prepare(objects: Objects, events: RecordedEvent[]): Prepared {
  const batch = gather(events)
  const written = [...batch.files].map(([kind, file]) => ({ ...file, kind, hash: objects.write(file.bytes) }))
  return { ...batch, written }
}

/** Belongs inside a transaction; returns the objects that the run let go of, too. */
function append(database: StoreParts, run: number, batch: Prepared, by: Recorder | undefined, at: number) {
  const { objects, owners } = database
  const { known, stop } = admitEvents(database, owners, run, by, batch.ending !== null, at)
  if (known) return { released: [], recorded: { ms: trainedMs(database, run), stop } }
  const before = allObjectsOf(database, run)
  if (batch.planned) begin(database, run, batch.planned.resumedAt)
  updateRun(database, run, batch, at)
  for (const [name, points] of batch.series) appendMetric(database, run, name, points)
  for (const { step, weights, gradients } of batch.histograms) {
    writeHistograms(database, run, 'weights', step, weights)
    writeHistograms(database, run, 'gradients', step, gradients)
  }
  if (batch.report) writeReport(database, run, batch.report.step, batch.report.report)
  for (const { kind, step, hash, bytes } of batch.written) {
    // Another process may have just removed the same bytes as unused; it cannot while this one holds the lock.
    if (!objects.has(hash)) objects.write(bytes)
    if (typeof kind === 'number') keepSnapshot(database, run, step, hash)
    else keepObject(database, run, kind, step, hash)
  }
  if (batch.ending) end(database, run, batch.ending, at)
  const after = new Set(allObjectsOf(database, run))
  return { released: before.filter((hash) => !after.has(hash)), recorded: { ms: trainedMs(database, run), stop } }
}

function trainedMs(database: Database, run: number): number {
  return database.get<{ ms: number }>(`select ${TRAINED_MS} as ms from run where id = ?`, run)?.ms ?? 0
}

/**
 * Deletes what an earlier attempt logged after the step that this one resumes from. Its weights stay until others
 * take their place.
 */
function begin(database: Database, run: number, resumedAt: number): void {
  truncateSeries(database, run, resumedAt)
  truncateReport(database, run, resumedAt)
  truncateOutcomes(database, run, resumedAt)
  truncateHistograms(database, run, resumedAt)
  truncateSnapshots(database, run, resumedAt)
  if (resumedAt === 0) forgetState(database, run)
  database.run('update run set step = ? where id = ?', resumedAt, run)
}

function gather(events: RecordedEvent[]): Batch {
  const batch: Batch = {
    step: 0,
    planned: null,
    ending: null,
    report: null,
    files: new Map(),
    series: new Map(),
    histograms: [],
  }
  for (const event of events) {
    if (event.type !== 'start') batch.step = Math.max(batch.step, checkCount(event.type, 'step', event.step))
    switch (event.type) {
      case 'start': {
        const { steps, parameters, macs = null, resumedAt = 0 } = event
        checkCount('start', 'steps', steps)
        checkCount('start', 'parameters', parameters)
        if (macs !== null) checkCount('start', 'macs', macs)
        batch.planned = { steps, parameters, macs, resumedAt: checkCount('start', 'resumedAt', resumedAt) }
        break
      }
      case 'step':
      case 'warning':
        break
      case 'metric':
        addPoints(batch.series, { ...event, steps: [event.step], values: [event.value] })
        break
      case 'points':
        for (const series of event.series) addPoints(batch.series, series)
        break
      case 'report':
        batch.report = event
        break
      case 'outcomes':
        checkOutcomes(event.outcomes, 'outcomes')
        batch.files.set('outcomes', { step: event.step, bytes: event.outcomes })
        break
      case 'histograms':
        batch.histograms.push(event)
        break
      case 'snapshot':
        if (event.weights.length === 0) throw new MixlabError('store', 'snapshot.weights', 'must not be empty')
        batch.files.set(event.step, { step: event.step, bytes: event.weights })
        break
      case 'checkpoint':
        for (const kind of ['weights', 'best', 'state'] as const) {
          const bytes = event[kind]
          if (bytes?.length === 0) throw new MixlabError('store', `checkpoint.${kind}`, 'must not be empty')
          const step = (kind === 'best' ? event.bestStep : undefined) ?? event.step
          if (bytes) batch.files.set(kind, { step, bytes })
        }
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

/** Adds points of a metric to those of the same batch. */
function addPoints(series: Batch['series'], { name, meaning, steps, values }: PointColumns['series'][number]): void {
  if (typeof name !== 'string' || name === '') throw new MixlabError('store', 'metric.name', 'must not be empty')
  const wrong = values.find((value) => typeof value !== 'number')
  if (wrong !== undefined) throw new MixlabError('store', name, `${wrong}: a metric must be a number`)
  if (steps.length !== values.length)
    throw new MixlabError('store', name, `${steps.length} steps for ${values.length} values`)
  const points = series.get(name) ?? { steps: [], values: [], meaning: meaning && parseMeaning(meaning, name) }
  if (!series.has(name)) series.set(name, points)
  points.steps.push(...steps)
  points.values.push(...values)
}

function checkCount(event: string, field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new MixlabError('store', `${event}.${field}`, `${value}: must be a whole number, 0 or more`)
}

/** Ends a run, which comes last: what is done or failed stays as it is, and does not go on. */
function end(
  database: Database,
  run: number,
  { status, error }: { status: RunStatus; error: string | null },
  now: number, // of a clock that may go back
): void {
  if (status !== 'interrupted') forgetState(database, run)
  database.run(
    'update run set status = ?, error = ?, ended_at = max(recorded_at, ?) where id = ?',
    status,
    error,
    now,
    run,
  )
}

function updateRun(database: Database, run: number, { step, planned }: Batch, at: number): void {
  database.run('update run set step = max(step, ?), recorded_at = max(recorded_at, ?) where id = ?', step, at, run)
  if (planned) {
    const { steps, parameters, macs } = planned
    database.run('update run set steps = ?, parameters = ?, macs = ? where id = ?', steps, parameters, macs, run)
  }
}

function appendMetric(database: Database, run: number, name: string, { meaning, ...points }: MeantLine): void {
  const metric = metricId(database, name) ?? database.run('insert into metric_name (name) values (?)', name)
  appendPoints(database, run, metric, points)
  writeSummary(database, run, metric, metricSummary(readSummary(database, run, metric), points, meaning))
}
