import { asksNothing, type StudyDesign, type VariantFloors } from '../../engine/records/design.ts'
import { isPoint, type TrainEvent } from '../../engine/records/events.ts'
import type { Preflight } from '../../engine/records/preflight.ts'
import type { MetricSummary, RunStatus, StoredRun, StudyEvent } from '../../engine/records/run.ts'
import { selectionMetric, splitOf, TRAIN, VALIDATION } from '../../engine/records/splits.ts'
import type { Line } from '../../engine/study/align.ts'
import { metricSummary } from '../../engine/study/metricSummary.ts'
import { type Pace, paceAfter, paceAfterSteps, paceSeen } from '../../engine/study/time/pace.ts'
import { evalEveryOf } from '../../engine/study/time/timeLeft.ts'
import { pointsOf, type RunPoints, type SentEvent } from './runPoints.ts'

/** A study as its cell shows it. Plain data: it is stored with the cell's output. */
export interface StudyView {
  study: string
  /** The metric that the table compares. */
  metric: string
  variants: string[]
  /** The fingerprints of the cells that the code of the variants is in, where their texts decide keys; else ''. */
  blocks: Record<string, string>
  /** The whole study; an output of before designs were kept has none. */
  design?: StudyDesign
  runs: RunView[]
  /** The variants beside the floors of their data, as of the last time that all runs were over. */
  arms?: VariantFloors[]
  /** What was known of variants before they were trained. */
  preflights?: Preflight[]
  /** Those that there was no time to look at. */
  notLookedAt?: string[]
  /** The most runs that were trained at a time. */
  atOnce?: number
  /** Of a study that is looked at after every seed: what ended it, e.g. `decided with seed 10 of at most 24`. */
  stopped?: string | undefined
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
  /** What it is trained on; empty before it has begun. */
  backend: string
  step: number
  /** Planned steps; 0 until known. */
  steps: number
  /** Milliseconds of training, as `StoredRun` has them. */
  ms: number
  /** What `ms` was at its last checkpoint, or when it began; left out where another page trains it. */
  savedMs?: number
  /** How fast it was trained since the page was opened. */
  pace?: Pace | null
  /** It began before any other of the study was through. */
  cold?: boolean
  evalEvery?: number
  error: string | null
  /** Not tried, since its code has failed with another seed: it counts as failed. */
  skipped?: true
  /** Not trained, since the seeds before it have decided the study. */
  notNeeded?: true
  hasWeights: boolean
  /** The notebook that trained it, where the store knows it. */
  notebook?: string | undefined
  metrics: Record<string, MetricSummary>
}

/** The view after an event; `view` is null before the plan. */
export function reduceStudy(view: StudyView | null, event: SentEvent): StudyView | null {
  if (event.type === 'plan') return planned(event)
  if (!view) return null
  if (event.type === 'preflight') return { ...view, preflights: event.variants, notLookedAt: event.left }
  if (event.type === 'arms') return { ...view, arms: event.arms }
  if (event.type === 'begin') {
    const { id, backend } = event
    const cold = !view.runs.some(({ status, cached }) => status === 'done' && !cached)
    const after = changeRun(view, event.key, (run) => ({ ...run, id, status: 'running', backend, ms: 0, cold }))
    const running = after.runs.filter(({ status }) => status === 'running').length
    return { ...after, atOnce: Math.max(running, view.atOnce ?? 1) }
  }
  if (event.type === 'skipped') {
    const { keys, error } = event
    const skip = (run: RunView): RunView => ({ ...run, status: 'failed', skipped: true, error })
    return keys.reduce((after, key) => changeRun(after, key, skip), view)
  }
  if (event.type === 'stopped') {
    const leave = (run: RunView): RunView => ({ ...run, notNeeded: true })
    return event.keys.reduce<StudyView>((after, key) => changeRun(after, key, leave), { ...view, stopped: event.text })
  }
  if (event.type === 'ended') {
    return changeRun(view, event.key, (run) => ({ ...fromStore(event.run, run), cached: true }))
  }
  if (event.type === 'readout') {
    const { key, metric, summary } = event
    return changeRun(view, key, (run) => ({ ...run, metrics: { ...run.metrics, [metric]: summary } }))
  }
  if (event.type === 'points') return changeRun(view, event.key, (run) => withPoints(run, event))
  if (event.type === 'run') {
    const { key, event: inner, ms } = event
    if (isPoint(inner)) return changeRun(view, key, (run) => withPoints(run, pointsOf([event])))
    return changeRun(view, key, (run) => ({
      ...reduceRun(run, inner),
      ms,
      ...((inner.type === 'checkpoint' || inner.type === 'start') && { savedMs: ms }),
      pace: paceAfter(run.pace ?? null, inner, ms),
    }))
  }
  return view
}

/** Its runs but for those that are not needed. */
export function neededRuns({ runs }: Pick<StudyView, 'runs'>): RunView[] {
  return runs.filter((run) => !run.notNeeded)
}

/** The view once its kernel is gone: what was training is interrupted. */
export function stopped(view: StudyView): StudyView {
  const training = view.runs.filter((run) => run.status === 'running')
  return training.reduce((after, { key }) => changeRun(after, key, (run) => ({ ...run, status: 'interrupted' })), view)
}

/** The view with the training time of an attempt from the store, in ms. */
export function trainedFor(view: StudyView, { key, id }: Pick<RunView, 'key' | 'id'>, ms: number): StudyView {
  return changeRun(view, key, (run) => (run.id === id ? { ...run, ms } : run))
}

/** The view with what the store now knows of its runs; a run's newest attempt counts, of those not archived if any. */
export function reconcile(view: StudyView, stored: StoredRun[]): StudyView {
  const newest = new Map<string, StoredRun>()
  const counts = (run: StoredRun) => (run.archived ? 0 : 1e12) + run.id
  for (const run of stored) {
    const known = newest.get(run.key)
    if (!known || counts(run) >= counts(known)) newest.set(run.key, run)
  }
  return {
    ...view,
    runs: view.runs.map((run) => {
      const known = newest.get(run.key)
      if (!known) return run
      const pace = known.status === 'running' && run.id === known.id ? paceSeen(run.pace ?? null, run, known) : null
      return { ...fromStore(known, run), cached: run.cached, ...(pace && { pace }) }
    }),
  }
}

/**
 * The view with what a resumed run had logged before, from the store. `after` gives what it has logged since, from
 * some step on.
 */
export function continued(
  view: StudyView,
  stored: StoredRun,
  after: (metric: string, step: number) => Line,
): StudyView {
  return changeRun(view, stored.key, (run) => {
    if (run.id !== stored.id) return run
    const metrics = Object.entries(stored.metrics).map(([name, before]) => {
      const more = after(name, before.lastStep)
      return [name, more.steps.length > 0 ? metricSummary(before, more) : before]
    })
    return {
      ...run,
      hasWeights: run.hasWeights || stored.hasWeights,
      metrics: { ...run.metrics, ...Object.fromEntries(metrics) },
    }
  })
}

/** The view once the notebook that shows it has another name. */
export function renamedTo(view: StudyView, from: string, to: string): StudyView {
  return { ...view, runs: view.runs.map((run) => (run.notebook === from ? { ...run, notebook: to } : run)) }
}

/** Names of the metrics that any run has, the compared one first; where nothing is asked of the test, none of it. */
export function metricNames(view: StudyView): string[] {
  const names = new Set(view.runs.flatMap((run) => Object.keys(run.metrics)))
  names.delete(view.metric)
  const shown = view.design && asksNothing(view.design) ? [...names].filter(isBeforeTest) : [...names]
  return [view.metric, ...shown.sort()]
}

/** Whether a metric is known before the test is read. */
function isBeforeTest(metric: string): boolean {
  return [TRAIN, VALIDATION].includes(splitOf(metric))
}

/** The metric to show first: the compared one, until that has values the one that chooses, and until then any that has. */
export function firstMetric(view: StudyView): string {
  const names = [view.metric, selectionMetric(view.metric), ...metricNames(view)]
  return names.find((name) => view.runs.some((run) => run.metrics[name])) ?? view.metric
}

function planned(event: Extract<StudyEvent, { type: 'plan' }>): StudyView {
  const { study, metric, variants, design } = event
  const runs = event.runs.map(({ key, variant, seed, done, resumesAt, spec }): RunView => {
    if (done) return { ...fromStore(done, { variant, seed }), cached: true }
    const empty = { step: resumesAt ?? 0, steps: 0, ms: 0, error: null, hasWeights: false, metrics: {} }
    const evalEvery = evalEveryOf(spec)
    return { ...empty, key, variant, seed, id: null, status: 'waiting', cached: false, backend: '', evalEvery }
  })
  const blocks = Object.fromEntries(event.runs.map(({ variant, spec }) => [variant, blockOf(spec)]))
  return { study, metric, variants, blocks, design, runs }
}

/** The fingerprint of the cell that a block is of, where a change of its text trains all runs again; else ''. */
function blockOf({ model }: Record<string, unknown>): string {
  return typeof model === 'object' && model !== null && 'code' in model && !('digest' in model)
    ? String(model.code)
    : ''
}

/** A run of the store under the names that its study gives it now. */
function fromStore(run: StoredRun, { variant, seed }: Pick<RunView, 'variant' | 'seed'>): RunView {
  const { key, id, status, backend, step, steps, ms, error, hasWeights, metrics, notebook } = run
  const own = { key, variant, seed, id, status, backend, step, steps, ms, error, hasWeights, metrics, cached: false }
  return notebook === undefined ? own : { ...own, notebook }
}

function changeRun(view: StudyView, key: string, change: (run: RunView) => RunView): StudyView {
  return { ...view, runs: view.runs.map((run) => (run.key === key ? change(run) : run)) }
}

function withPoints(run: RunView, { ms, step, series, times }: RunPoints): RunView {
  const after = series.map(({ name, meaning, ...line }) => {
    return [name, metricSummary(run.metrics[name] ?? null, line, meaning)] as const
  })
  const metrics = after.length > 0 ? { ...run.metrics, ...Object.fromEntries(after) } : run.metrics
  return { ...run, ms, step: step ?? run.step, metrics, pace: paceAfterSteps(run.pace ?? null, times) }
}

function reduceRun(run: RunView, event: Exclude<TrainEvent, { type: 'step' | 'metric' }>): RunView {
  switch (event.type) {
    case 'start':
      return { ...run, status: 'running', step: event.resumedAt ?? 0, steps: event.steps }
    case 'checkpoint':
      return { ...run, hasWeights: true }
    case 'snapshot':
    case 'histograms':
    case 'report':
    case 'outcomes':
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
