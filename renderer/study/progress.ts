import { stepTime } from '../../engine/study/time/pace.ts'
import { plannedSteps, timeLeft, timeLeftInRun } from '../../engine/study/time/timeLeft.ts'
import { neededRuns, type RunView, type StudyView } from '../protocol/study.ts'

export interface StudyEstimate {
  /** Complete or failed runs, and all. */
  done: number
  total: number
  /** 0..1 over all steps of all runs. */
  fraction: number
  /** The first run in training, its place among all, from 1, and how many are trained beside it. */
  current: RunView | null
  place: number
  beside: number
  /** Of all runs in training together; null until a few steps have been timed, as the next. */
  stepsPerSecond: number | null
  /** Null, too, until each variant was timed. */
  secondsLeft: number | null
  /** Of the one run in training, where that is all that is known. */
  secondsLeftInRun: number | null
  /** Of training since the last checkpoint of the first run in training; null where that is not known. */
  secondsUnsaved: number | null
}

/** The study in training among those of a cell, and how far it is, 0 to 1; null for none. */
export function fractionOf(studies: readonly StudyView[]): { study: string; fraction: number } | null {
  const all = studies.map((view) => ({ study: view.study, ...progress(view) }))
  const current = all.find(({ done, total }) => done < total)
  return current ? { study: current.study, fraction: current.fraction } : null
}

/** Of each view once: several places show it, and the title of the page asks at every change of the notebook. */
const estimates = new WeakMap<StudyView, StudyEstimate>()

/** How far a study is, and how long it still takes. */
export function progress(study: StudyView): StudyEstimate {
  const estimate = estimates.get(study) ?? estimated(study)
  estimates.set(study, estimate)
  return estimate
}

function estimated(study: StudyView): StudyEstimate {
  const view = { ...study, runs: neededRuns(study) }
  const ended = new Set(view.runs.filter((run) => run.status === 'done' || run.status === 'failed'))
  const running = view.runs.filter((run) => run.status === 'running')
  const [current = null] = running
  const steps = view.runs.map(plannedSteps(view.runs))
  const left = view.runs.map((run, i) => (ended.has(run) ? 0 : Math.max(0, (steps[i] ?? 0) - run.step)))
  const all = steps.reduce((sum, each) => sum + each, 0)
  const remaining = left.reduce((sum, each) => sum + each, 0)
  const timed = view.runs.map((run, i) => ({
    ...{ variant: run.variant, steps: steps[i] ?? 0, left: left[i] ?? 0, running: run.status === 'running' },
    ...{ cold: run.cold === true, pace: run.pace?.computed ? run.pace : null }, // of an earlier version it has none
    evalEvery: run.evalEvery ?? 0,
    stored: run.cached && run.status === 'done' ? run.ms : null,
  }))
  const ms = timeLeft(timed, view.atOnce ?? 1)
  const [first, second] = timed.filter((run) => run.running)
  const own = ms === null && first && !second ? timeLeftInRun(first) : null
  const rates = running.flatMap(({ pace }) => (pace?.computed ? (stepTime(pace) ?? []) : [])).map((step) => 1000 / step)
  return {
    done: ended.size,
    total: view.runs.length,
    fraction: all === 0 ? 0 : (all - remaining) / all,
    current,
    place: current ? view.runs.indexOf(current) + 1 : 0,
    beside: Math.max(0, running.length - 1),
    stepsPerSecond: rates.length > 0 ? rates.reduce((sum, rate) => sum + rate) : null,
    secondsLeft: ms === null ? null : ms / 1000,
    secondsLeftInRun: own === null ? null : own / 1000,
    secondsUnsaved: current?.savedMs === undefined ? null : (current.ms - current.savedMs) / 1000,
  }
}
