import { duration } from '../../engine/study/duration.ts'
import type { StudyEvent } from '../../engine/study/types.ts'

/** Weight of the newest step in the running mean of step times. */
const NEWEST = 0.1
const BAR = 20

/** A function from study events to a progress line: run, bar, last loss, time left. */
export function progressLine(): (event: StudyEvent) => string {
  let total = 0
  let finished = 0
  let name = ''
  const names = new Map<string, string>()
  let run = { step: 0, steps: 0 }
  let stepMs = 0
  let loss = Number.NaN

  return (event) => {
    if (event.type === 'plan') {
      const todo = event.runs.filter(({ done }) => !done)
      total = todo.length
      finished = 0
      for (const { key, variant, seed } of todo) names.set(key, `${variant}, seed ${seed}`)
    }
    if (event.type === 'begin') name = names.get(event.key) ?? ''
    if (event.type === 'run') {
      const inner = event.event
      if (inner.type === 'start') run = { step: inner.resumedAt ?? 0, steps: inner.steps }
      if (inner.type === 'step') {
        run.step = inner.step
        stepMs = stepMs ? stepMs + NEWEST * (inner.ms - stepMs) : inner.ms
      }
      if (inner.type === 'metric' && inner.name === 'train/loss') loss = inner.value
      if (inner.type === 'done' || inner.type === 'failed') finished += 1
    }
    const fraction = run.steps > 0 ? run.step / run.steps : 0
    const left = stepMs > 0 ? ((total - finished - fraction) * run.steps * stepMs) / 1000 : Number.NaN
    const parts = [
      `run ${Math.min(finished + 1, total)} of ${total}: ${name}`,
      `${bar(fraction)} ${run.step}/${run.steps}`,
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
