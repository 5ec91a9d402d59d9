import type { StudyEvent } from '../../../engine/records/run.ts'
import { duration } from '../../../engine/study/duration.ts'
import { paceAfter } from '../../../engine/study/time/pace.ts'
import {
  evalEveryOf,
  plannedSteps,
  type TimedRun,
  timeLeft,
  timeLeftInRun,
} from '../../../engine/study/time/timeLeft.ts'

const BAR = 20

interface Run extends Omit<TimedRun, 'left'> {
  name: string
  step: number
  loss: number | null
  over: boolean
}

/**
 * A function from study events to one that makes a progress line: run, or how many, bar, last loss, time left. The line is
 * made when it is shown: it looks at all runs, and events come by the thousand.
 */
export function progressLine(): (event: StudyEvent) => () => string {
  let runs = new Map<string, Run>()
  let cached: TimedRun[] = []
  let last: Run | undefined
  let places = 1
  const line = () => lineOf([...runs.values()], cached, last, places)

  return (event) => {
    if (event.type === 'plan') {
      runs = new Map(event.runs.flatMap((run) => (run.done ? [] : [[run.key, waiting(run)]])))
      cached = event.runs.flatMap(({ variant, done }) => (done ? [stored(variant, done)] : []))
      last = undefined
    }
    if (event.type === 'begin') {
      last = runs.get(event.key)
      if (last) Object.assign(last, { running: true, cold: ![...runs.values()].some(({ over }) => over) })
      places = Math.max(places, running(runs).length)
    }
    if (event.type === 'run') {
      const { event: inner, ms } = event
      last = runs.get(event.key) ?? last
      if (last) {
        if (inner.type === 'metric' && inner.name === 'train/loss') last.loss = inner.value
        if (inner.type === 'start')
          Object.assign(last, { step: inner.resumedAt ?? 0, steps: inner.steps, running: true })
        if (inner.type === 'step') last.step = inner.step
        if (inner.type === 'done' || inner.type === 'failed') last.over = true
        if (last.over || inner.type === 'interrupted') last.running = false
        last.pace = paceAfter(last.pace, inner, ms)
      }
    }
    return line
  }
}

type Planned = Extract<StudyEvent, { type: 'plan' }>['runs'][number]

function waiting({ variant, seed, resumesAt, spec }: Planned): Run {
  const empty = { steps: 0, running: false, cold: false, pace: null, stored: null, loss: null, over: false }
  const evalEvery = evalEveryOf(spec)
  return { ...empty, name: `${variant}, seed ${seed}`, variant, step: resumesAt ?? 0, evalEvery }
}

function stored(variant: string, { steps, ms }: { steps: number; ms: number }): TimedRun {
  return { variant, steps, left: 0, running: false, cold: false, evalEvery: 0, pace: null, stored: ms }
}

const running = (runs: Map<string, Run>) => [...runs.values()].filter((run) => run.running)

function lineOf(runs: Run[], cached: TimedRun[], last: Run | undefined, places: number): string {
  const total = runs.length
  const finished = runs.filter(({ over }) => over).length
  const together = runs.filter((run) => run.running).length
  const begun = runs.reduce((sum, run) => sum + (run.running && run.steps > 0 ? run.step / run.steps : 0), 0)
  const { name, step, steps, loss } = last ?? { name: '', step: 0, steps: 0, loss: null }
  const planned = plannedSteps(runs)
  const timed = runs.map((run) => ({
    ...run,
    steps: planned(run),
    left: run.over ? 0 : Math.max(0, planned(run) - run.step),
  }))
  const whole = timeLeft([...timed, ...cached], places)
  const [current, beside] = timed.filter((run) => run.running)
  const own = whole === null && current && !beside ? timeLeftInRun(current) : null
  const parts =
    together > 1
      ? [`${together} runs, ${finished} of ${total} done`, bar(total > 0 ? (finished + begun) / total : 0)]
      : [
          `run ${Math.min(finished + (last?.over ? 0 : 1), total)} of ${total}: ${name}`,
          `${bar(steps > 0 ? step / steps : 0)} ${step}/${steps}`,
          ...(loss === null ? [] : [`loss ${loss.toFixed(3)}`]),
        ]
  if (whole !== null) parts.push(`${duration(whole / 1000)} left`)
  else if (own !== null) parts.push(`${duration(own / 1000)} left in this run`)
  return parts.join('  ')
}

/** A bar of which `fraction` is filled. */
export function bar(fraction: number): string {
  return '█'.repeat(Math.round(fraction * BAR)).padEnd(BAR, '░')
}
