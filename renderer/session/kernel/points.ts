import type { StudyEvent } from '../../../engine/records/run.ts'
import type { Line } from '../../../engine/study/align.ts'

/** The metric points of runs trained since the page was loaded, by run id and metric. Grows in place. */
const live = new Map<number, Map<string, Line>>()

/** Ids of runs that went on from a checkpoint, and the step of that. */
const resumed = new Map<number, number>()

/** Keeps the points among events. */
export function keepPoints(events: StudyEvent[]): void {
  for (const event of events) {
    if (event.type === 'run' && event.event.type === 'start') restart(event.id, event.event.resumedAt ?? 0)
    if (event.type !== 'run' || event.event.type !== 'metric') continue
    const { name, step, value } = event.event
    const run = live.get(event.id) ?? new Map<string, Line>()
    const line = run.get(name) ?? { steps: [], values: [] }
    line.steps.push(step)
    line.values.push(value)
    live.set(event.id, run.set(name, line))
  }
}

/** The last step of a metric that is known here of a run; -1 for none. */
export function knownUntil(id: number, metric: string): number {
  return live.get(id)?.get(metric)?.steps.at(-1) ?? -1
}

/** Adds points that the store has of a run that is trained elsewhere. */
export function addPoints(id: number, metric: string, { steps, values }: Line): void {
  const known = knownUntil(id, metric)
  const run = live.get(id) ?? new Map<string, Line>()
  const line = run.get(metric) ?? { steps: [], values: [] }
  for (const [i, step] of steps.entries()) {
    if (step <= known) continue
    line.steps.push(step)
    line.values.push(values[i] ?? Number.NaN)
  }
  live.set(id, run.set(metric, line))
}

/** Forgets the points of a run. */
export function forgetPoints(id: number): void {
  restart(id, 0)
}

/** What an earlier attempt logged is void, or up to a step in the store. */
function restart(id: number, resumedAt: number): void {
  live.delete(id)
  if (resumedAt > 0) resumed.set(id, resumedAt)
  else resumed.delete(id)
}

/** The step up to which the points of a run are in the store alone; 0 where all are live, or none. */
export function resumedAt(id: number): number {
  return resumed.get(id) ?? 0
}

/** The points of a run trained since the page was loaded, or null. */
export function livePoints(id: number, metric: string): Line | null {
  return live.get(id)?.get(metric) ?? null
}

/** Those of a run after a step. */
export function pointsAfter(id: number, metric: string, step: number): Line {
  const { steps, values } = livePoints(id, metric) ?? { steps: [], values: [] }
  const from = steps.findIndex((each) => each > step)
  return from < 0 ? { steps: [], values: [] } : { steps: steps.slice(from), values: values.slice(from) }
}

/** Whether a run was trained since the page was loaded. */
export function isLive(id: number): boolean {
  return live.has(id)
}
