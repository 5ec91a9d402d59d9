import type { StudyEvent } from '../../engine/study/types.ts'
import type { Line } from '../charts/align.ts'

/** The metric points of runs trained since the page was loaded, by run id and metric. Grows in place. */
const live = new Map<number, Map<string, Line>>()

/** Keeps the points among events. */
export function keepPoints(events: StudyEvent[]): void {
  for (const event of events) {
    if (event.type !== 'run' || event.event.type !== 'metric') continue
    const { name, step, value } = event.event
    const run = live.get(event.id) ?? new Map<string, Line>()
    const line = run.get(name) ?? { steps: [], values: [] }
    line.steps.push(step)
    line.values.push(value)
    live.set(event.id, run.set(name, line))
  }
}

/** The points of a run trained since the page was loaded, or null. */
export function livePoints(id: number, metric: string): Line | null {
  return live.get(id)?.get(metric) ?? null
}

/** Whether a run was trained since the page was loaded. */
export function isLive(id: number): boolean {
  return live.has(id)
}
