import { columnsOf, isPoint, type PointColumns } from '../../engine/records/events.ts'
import type { StudyEvent } from '../../engine/records/run.ts'
import type { StepTimes } from '../../engine/study/time/pace.ts'

/** Steps and metrics of a run in a row, in columns: events of them come by the thousand a second. */
export interface RunPoints extends Pick<PointColumns, 'series'> {
  type: 'points'
  key: string
  id: number
  /** The time of the run at the last of them, as in an event. */
  ms: number
  /** The last finished step; null where there are metrics alone. */
  step: number | null
  times: StepTimes
}

/** The events of a study as a kernel sends them. */
export type SentEvent = StudyEvent | RunPoints

type RunEvent = Extract<StudyEvent, { type: 'run' }>

/** Events as they are sent: of steps and metrics in a row those of each run together. All else stays where it is. */
export function sentEvents(events: StudyEvent[]): SentEvent[] {
  const sent: SentEvent[] = []
  let row: RunEvent[] = []
  const send = () => {
    for (const own of Map.groupBy(row, ({ id }) => id).values()) sent.push(pointsOf(own))
    row = []
  }
  for (const event of events) {
    if (event.type === 'run' && isPoint(event.event)) {
      row.push(event)
      continue
    }
    send()
    sent.push(event)
  }
  send()
  return sent
}

/** Steps and metrics of one run, at least one, in columns. */
export function pointsOf(events: RunEvent[]): RunPoints {
  const times: StepTimes = { ms: [], waited: [], paused: [], at: [] }
  let step: number | null = null
  for (const { event, ms } of events) {
    if (event.type !== 'step') continue
    step = event.step
    times.ms.push(event.ms)
    times.waited.push(event.waited ?? 0)
    times.paused.push(event.paused ?? 0)
    times.at.push(ms)
  }
  const { series } = columnsOf(events.map(({ event }) => event))
  const { key = '', id = 0, ms = 0 }: Partial<RunEvent> = events.at(-1) ?? {}
  return { type: 'points', key, id, ms, step, series, times }
}
