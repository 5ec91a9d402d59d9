import type { StudyEvent } from '../../engine/records/run.ts'
import { duration } from '../../engine/study/duration.ts'

/** Weight of the newest step in the running mean of step times. */
const NEWEST = 0.1
const BAR = 20

interface Running {
  name: string
  step: number
  steps: number
}

/** A function from study events to a progress line: run, or how many, bar, last loss, time left. */
export function progressLine(): (event: StudyEvent) => string {
  let total = 0
  let finished = 0
  const names = new Map<string, string>()
  const running = new Map<string, Running>()
  let last: Running = { name: '', step: 0, steps: 0 }
  let stepMs = 0
  let loss = Number.NaN

  return (event) => {
    if (event.type === 'plan') {
      const todo = event.runs.filter(({ done }) => !done)
      total = todo.length
      finished = 0
      for (const { key, variant, seed } of todo) names.set(key, `${variant}, seed ${seed}`)
    }
    if (event.type === 'begin') {
      last = { name: names.get(event.key) ?? '', step: 0, steps: 0 }
      running.set(event.key, last)
    }
    if (event.type === 'run') {
      const inner = event.event
      last = running.get(event.key) ?? last
      if (inner.type === 'start') Object.assign(last, { step: inner.resumedAt ?? 0, steps: inner.steps })
      if (inner.type === 'step') {
        last.step = inner.step
        stepMs = stepMs ? stepMs + NEWEST * (inner.ms - stepMs) : inner.ms
      }
      if (inner.type === 'metric' && inner.name === 'train/loss') loss = inner.value
      if (inner.type === 'done' || inner.type === 'failed') finished += 1
      if (inner.type === 'done' || inner.type === 'failed' || inner.type === 'interrupted') running.delete(event.key)
    }
    const together = Math.max(1, running.size)
    const begun = [...running.values()].reduce((sum, { step, steps }) => sum + (steps > 0 ? step / steps : 0), 0)
    const left = stepMs > 0 ? ((total - finished - begun) * last.steps * stepMs) / together / 1000 : Number.NaN
    const parts =
      together > 1
        ? [`${together} runs, ${finished} of ${total} done`, bar(total > 0 ? (finished + begun) / total : 0)]
        : [
            `run ${Math.min(finished + 1, total)} of ${total}: ${last.name}`,
            `${bar(last.steps > 0 ? last.step / last.steps : 0)} ${last.step}/${last.steps}`,
          ]
    if (Number.isFinite(loss)) parts.push(`loss ${loss.toFixed(3)}`)
    if (Number.isFinite(left)) parts.push(`${duration(left)} left`)
    return parts.join('  ')
  }
}

/** A bar of which `fraction` is filled. */
export function bar(fraction: number): string {
  return '█'.repeat(Math.round(fraction * BAR)).padEnd(BAR, '░')
}
