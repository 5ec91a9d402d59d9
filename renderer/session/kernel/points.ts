import { isPoint } from '../../../engine/records/events.ts'
import type { Line } from '../../../engine/study/align.ts'
import type { SentPoints } from '../../protocol/kernelSession.ts'
import { pointsOf, type SentEvent } from '../../protocol/runPoints.ts'

/** Metric points of runs in training, by run id. */
export interface Points {
  /** By metric; lines grow in place. */
  live: Map<number, Map<string, Line>>
  /** Of runs that went on from a checkpoint, the step of that. */
  resumed: Map<number, number>
}

export const noPoints = (): Points => ({ live: new Map(), resumed: new Map() })

/** Those of runs trained since the page was loaded. */
const own = noPoints()
const { live, resumed } = own

/** Keeps the points among events. */
export function keepPoints(events: SentEvent[], points = own): void {
  const { live } = points
  for (const event of events) {
    if (event.type === 'run' && event.event.type === 'start') restart(points, event.id, event.event.resumedAt ?? 0)
    const sent = event.type === 'run' && isPoint(event.event) ? pointsOf([event]) : event
    if (sent.type !== 'points') continue
    for (const { name, steps, values } of sent.series) {
      const run = live.get(sent.id) ?? new Map<string, Line>()
      const line = run.get(name) ?? { steps: [], values: [] }
      for (const step of steps) line.steps.push(step)
      for (const value of values) line.values.push(value)
      live.set(sent.id, run.set(name, line))
    }
  }
}

/** The last step of a metric that is known here of a run; -1 for none. */
export function lastKnownStep(id: number, metric: string): number {
  return live.get(id)?.get(metric)?.steps.at(-1) ?? -1
}

/** Adds points that the store has of a run that is trained elsewhere. */
export function addPoints(id: number, metric: string, { steps, values }: Line): void {
  const known = lastKnownStep(id, metric)
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
  restart(own, id, 0)
}

/** The points as they cross to a page. */
export function pointsToSend({ live, resumed }: Points): SentPoints[] {
  const ids = [...new Set([...live.keys(), ...resumed.keys()])]
  return ids.map((id) => ({ id, resumedAt: resumed.get(id) ?? 0, lines: Object.fromEntries(live.get(id) ?? []) }))
}

/** Takes points over that were kept elsewhere. */
export function takePoints(sent: SentPoints[]): void {
  for (const { id, resumedAt, lines } of sent) {
    restart(own, id, resumedAt)
    live.set(id, new Map(Object.entries(lines)))
  }
}

/** What an earlier attempt logged is void, or up to a step in the store. */
function restart({ live, resumed }: Points, id: number, resumedAt: number): void {
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
