import type { StudyEvent } from '../../../engine/records/run.ts'
import { duration } from '../../../engine/study/duration.ts'
import { paceAfter, type TimedRun, timeLeft } from '../../../engine/study/pace.ts'

const BAR = 20

interface Run extends TimedRun {
  name: string
  step: number
  steps: number
  over: boolean
}

/** A function from study events to a progress line: run, or how many, bar, last loss, time left. */
export function progressLine(): (event: StudyEvent) => string {
  let runs = new Map<string, Run>()
  let last: Run | undefined
  let places = 1
  let loss = Number.NaN

  return (event) => {
    if (event.type === 'plan') {
      const todo = event.runs.filter(({ done }) => !done)
      runs = new Map(todo.map(({ key, variant, seed }) => [key, waiting(variant, seed)]))
      last = undefined
    }
    if (event.type === 'begin') {
      last = runs.get(event.key)
      if (last) last.running = true
      places = Math.max(places, running(runs).length)
    }
    if (event.type === 'run') {
      const { event: inner, ms } = event
      last = runs.get(event.key) ?? last
      if (inner.type === 'metric' && inner.name === 'train/loss') loss = inner.value
      if (last) {
        if (inner.type === 'start') Object.assign(last, { step: inner.resumedAt ?? 0, steps: inner.steps })
        if (inner.type === 'step') last.step = inner.step
        if (inner.type === 'done' || inner.type === 'failed') last.over = true
        if (last.over || inner.type === 'interrupted') last.running = false
        last.pace = paceAfter(last.pace, inner, ms)
      }
    }
    return lineOf([...runs.values()], last ?? waiting('', 0), places, loss)
  }
}

function waiting(variant: string, seed: number): Run {
  const name = variant ? `${variant}, seed ${seed}` : ''
  return { name, variant, step: 0, steps: 0, left: 0, running: false, over: false, pace: null }
}

const running = (runs: Map<string, Run>) => [...runs.values()].filter((run) => run.running)

function lineOf(runs: Run[], last: Run, places: number, loss: number): string {
  const total = runs.length
  const finished = runs.filter(({ over }) => over).length
  const together = runs.filter((run) => run.running).length
  const expected = Math.max(0, ...runs.map(({ steps }) => steps))
  const left = runs.map((run) => (run.over ? 0 : (run.steps || expected) - run.step))
  const begun = runs.reduce((sum, run) => sum + (run.running && run.steps > 0 ? run.step / run.steps : 0), 0)
  const ms = timeLeft(
    runs.map((run, i) => ({ ...run, left: left[i] ?? 0 })),
    places,
  )
  const parts =
    together > 1
      ? [`${together} runs, ${finished} of ${total} done`, bar(total > 0 ? (finished + begun) / total : 0)]
      : [
          `run ${Math.min(finished + 1, total)} of ${total}: ${last.name}`,
          `${bar(last.steps > 0 ? last.step / last.steps : 0)} ${last.step}/${last.steps}`,
        ]
  if (Number.isFinite(loss)) parts.push(`loss ${loss.toFixed(3)}`)
  if (ms !== null) parts.push(`${duration(ms / 1000)} left`)
  return parts.join('  ')
}

/** A bar of which `fraction` is filled. */
export function bar(fraction: number): string {
  return '█'.repeat(Math.round(fraction * BAR)).padEnd(BAR, '░')
}
