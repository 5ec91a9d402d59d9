import { higherIsBetter } from '../../engine/evaluate/direction.ts'
import type { MetricSummary, RunStatus, StoredRun, StudyEvent } from '../../engine/study/types.ts'
import type { TrainEvent } from '../../engine/train/events.ts'

/** A study as its cell shows it. Plain data: it is stored with the cell's output. */
export interface StudyView {
  study: string
  /** The metric that the table compares. */
  metric: string
  variants: string[]
  runs: RunView[]
}

export interface RunView {
  key: string
  variant: string
  seed: number
  /** Its id in the store, once it has begun. */
  id: number | null
  status: 'waiting' | RunStatus
  /** Taken from the store, not trained now. */
  cached: boolean
  step: number
  /** Planned steps; 0 until known. */
  steps: number
  /** Milliseconds of training. */
  ms: number
  error: string | null
  hasWeights: boolean
  metrics: Record<string, MetricSummary>
}

/** The view after an event; `view` is null before the plan. */
export function reduceStudy(view: StudyView | null, event: StudyEvent): StudyView | null {
  if (event.type === 'plan') return planned(event)
  if (!view) return null
  if (event.type === 'begin') {
    return changeRun(view, event.key, (run) => ({ ...run, id: event.id, status: 'running', ms: 0 }))
  }
  if (event.type === 'run') return changeRun(view, event.key, (run) => reduceRun(run, event.event))
  return view
}

/** The view once its kernel is gone: what was training is interrupted. */
export function stopped(view: StudyView): StudyView {
  if (!view.runs.some((run) => run.status === 'running')) return view
  return {
    ...view,
    runs: view.runs.map((run) => (run.status === 'running' ? { ...run, status: 'interrupted' } : run)),
  }
}

/** The view with what the store now knows of its runs; a run's newest attempt counts. */
export function reconcile(view: StudyView, stored: StoredRun[]): StudyView {
  const newest = new Map<string, StoredRun>()
  for (const run of stored) if (run.id >= (newest.get(run.key)?.id ?? 0)) newest.set(run.key, run)
  return {
    ...view,
    runs: view.runs.map((run) => {
      const known = newest.get(run.key)
      return known ? { ...fromStore(known), cached: run.cached } : run
    }),
  }
}

/** Names of the metrics that any run has, the compared one first. */
export function metricNames(view: StudyView): string[] {
  const names = new Set(view.runs.flatMap((run) => Object.keys(run.metrics)))
  names.delete(view.metric)
  return [view.metric, ...[...names].sort()]
}

/** The metric to show first: the compared one, and until that has values any that has. */
export function firstMetric(view: StudyView): string {
  const names = metricNames(view)
  return names.find((name) => view.runs.some((run) => run.metrics[name])) ?? view.metric
}

/** A run in the shape of the store, for the summary that page and command line have in common. */
export function toStored(view: StudyView, run: RunView): StoredRun {
  const { key, variant, seed, step, steps, error, hasWeights, metrics } = run
  const status = run.status === 'waiting' ? 'interrupted' : run.status
  const known = { key, variant, seed, status, step, steps, error, hasWeights, metrics, study: view.study }
  return { ...known, id: run.id ?? 0, backend: '', device: '', startedAt: 0, endedAt: run.ms, parameters: 0 }
}

function planned(event: Extract<StudyEvent, { type: 'plan' }>): StudyView {
  const { study, metric, variants } = event
  const runs = event.runs.map(({ key, variant, seed, done, resumesAt }): RunView => {
    if (done) return { ...fromStore(done), cached: true }
    const empty = { step: resumesAt ?? 0, steps: 0, ms: 0, error: null, hasWeights: false, metrics: {} }
    return { ...empty, key, variant, seed, id: null, status: 'waiting', cached: false }
  })
  return { study, metric, variants, runs }
}

function fromStore(run: StoredRun): RunView {
  const { key, variant, seed, id, status, step, steps, error, hasWeights, metrics } = run
  const ms = run.endedAt === null ? 0 : run.endedAt - run.startedAt
  return { key, variant, seed, id, status, step, steps, ms, error, hasWeights, metrics, cached: false }
}

function changeRun(view: StudyView, key: string, change: (run: RunView) => RunView): StudyView {
  return { ...view, runs: view.runs.map((run) => (run.key === key ? change(run) : run)) }
}

function reduceRun(run: RunView, event: TrainEvent): RunView {
  switch (event.type) {
    case 'start':
      return { ...run, status: 'running', step: event.resumedAt ?? 0, steps: event.steps }
    case 'step':
      return { ...run, step: event.step, ms: run.ms + event.ms }
    case 'metric':
      return { ...run, metrics: { ...run.metrics, [event.name]: summarised(run.metrics[event.name], event) } }
    case 'checkpoint':
      return { ...run, hasWeights: true }
    case 'report':
    case 'warning':
      return run
    case 'done':
      return { ...run, status: 'done', step: event.step }
    case 'interrupted':
      return { ...run, status: 'interrupted', step: event.step }
    case 'failed':
      return { ...run, status: 'failed', step: event.step, error: event.message }
  }
}

function summarised(
  before: MetricSummary | undefined,
  { step, value, name }: Extract<TrainEvent, { type: 'metric' }>,
): MetricSummary {
  const last = { last: value, lastStep: step }
  if (!before) return { ...last, best: value, bestStep: step, min: value, max: value, count: 1 }
  const better = higherIsBetter(name) ? value > before.best : value < before.best
  return {
    ...last,
    best: better ? value : before.best,
    bestStep: better ? step : before.bestStep,
    min: Math.min(before.min, value),
    max: Math.max(before.max, value),
    count: before.count + 1,
  }
}
