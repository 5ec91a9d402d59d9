import { stepTime, timeLeft } from '../../engine/study/pace.ts'
import type { RunView, StudyView } from '../protocol/study.ts'

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
  secondsLeft: number | null
  /** Of training since the last checkpoint of the first run in training; null where that is not known. */
  secondsUnsaved: number | null
}

/** The study in training among those of a cell, and how far it is, 0 to 1; null for none. */
export function fractionOf(studies: readonly StudyView[]): { study: string; fraction: number } | null {
  const all = studies.map((view) => ({ study: view.study, ...progress(view) }))
  const current = all.find(({ done, total }) => done < total)
  return current ? { study: current.study, fraction: current.fraction } : null
}

/** How far a study is; how long it still takes goes by the steps trained now, for the store may be from another machine. */
export function progress(view: StudyView): StudyEstimate {
  const ended = view.runs.filter((run) => run.status === 'done' || run.status === 'failed')
  const running = view.runs.filter((run) => run.status === 'running')
  const [current = null] = running
  const expected = Math.max(0, ...view.runs.map((run) => run.steps))
  const left = view.runs.map((run) => (ended.includes(run) ? 0 : Math.max(0, (run.steps || expected) - run.step)))
  const all = view.runs.reduce((sum, run) => sum + (run.steps || expected), 0)
  const remaining = left.reduce((sum, steps) => sum + steps, 0)
  const timed = view.runs.map(({ variant, status, pace = null }, i) => {
    return { variant, left: left[i] ?? 0, running: status === 'running', pace }
  })
  const ms = timeLeft(timed, view.atOnce ?? 1)
  const rates = running.flatMap(({ pace }) => (pace ? (stepTime(pace) ?? []) : [])).map((step) => 1000 / step)
  return {
    done: ended.length,
    total: view.runs.length,
    fraction: all === 0 ? 0 : (all - remaining) / all,
    current,
    place: current ? view.runs.indexOf(current) + 1 : 0,
    beside: Math.max(0, running.length - 1),
    stepsPerSecond: rates.length > 0 ? rates.reduce((sum, rate) => sum + rate) : null,
    secondsLeft: ms === null ? null : ms / 1000,
    secondsUnsaved: current?.savedMs === undefined ? null : (current.ms - current.savedMs) / 1000,
  }
}
