import type { RunView, StudyView } from '../protocol/study.ts'

/** The first steps prepare the device and tell little. */
const FEWEST_STEPS = 3

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
  /** Null until a few steps have been timed. */
  secondsLeft: number | null
}

/** How far a study is. A variant's steps are expected to take as long as its steps so far, or as those of the others. */
export function progress(view: StudyView): StudyEstimate {
  const ended = view.runs.filter((run) => run.status === 'done' || run.status === 'failed')
  const running = view.runs.filter((run) => run.status === 'running')
  const [current = null] = running
  const expected = Math.max(0, ...view.runs.map((run) => run.steps))
  const left = view.runs.map((run) => (ended.includes(run) ? 0 : Math.max(0, (run.steps || expected) - run.step)))
  const all = view.runs.reduce((sum, run) => sum + (run.steps || expected), 0)
  const remaining = left.reduce((sum, steps) => sum + steps, 0)
  return {
    done: ended.length,
    total: view.runs.length,
    fraction: all === 0 ? 0 : (all - remaining) / all,
    current,
    place: current ? view.runs.indexOf(current) + 1 : 0,
    beside: Math.max(0, running.length - 1),
    secondsLeft: secondsLeft(view, left, running.length),
  }
}

function secondsLeft(view: StudyView, left: number[], atOnce: number): number | null {
  const overall = stepTime(view.runs)
  if (overall === null) return null
  const ms = view.runs.reduce((sum, run, i) => {
    const own = stepTime(view.runs.filter((other) => other.variant === run.variant))
    return sum + (left[i] ?? 0) * (own ?? overall)
  }, 0)
  return ms / 1000 / Math.max(1, atOnce)
}

/** Mean milliseconds of the steps trained now; runs from the store may come from another machine. */
function stepTime(runs: RunView[]): number | null {
  const timed = runs.filter((run) => !run.cached && run.step > 0 && run.ms > 0)
  const steps = timed.reduce((sum, run) => sum + run.step, 0)
  return steps < FEWEST_STEPS ? null : timed.reduce((sum, run) => sum + run.ms, 0) / steps
}
