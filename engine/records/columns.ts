import type { PointColumns, RecordedEvent, TrainEvent } from './events.ts'

/** Of so many events in a row or more the points are gathered: columns of fewer would cost more than they save. */
const MANY = 16

/**
 * Events as a store takes them: of many steps and metrics in a row the points of each metric as two columns, so that not
 * each point crosses with its name and meaning. Every other event stays where it is.
 */
export function inColumns(events: TrainEvent[]): RecordedEvent[] {
  const packed: RecordedEvent[] = []
  for (let from = 0; from < events.length; ) {
    let to = from
    while (to < events.length && isPoint(events[to])) to++
    const points = events.slice(from, to)
    packed.push(...(points.length < MANY ? points : [columnsOf(points)]), ...events.slice(to, to + 1))
    from = to + 1
  }
  return packed
}

function isPoint(event: TrainEvent | undefined): boolean {
  return event?.type === 'step' || event?.type === 'metric'
}

function columnsOf(events: TrainEvent[]): PointColumns {
  const series = new Map<string, PointColumns['series'][number]>()
  let last = 0
  for (const event of events) {
    if ('step' in event) last = Math.max(last, event.step)
    if (event.type !== 'metric') continue
    const { name, meaning, step, value } = event
    const known = series.get(name) ?? { name, ...(meaning && { meaning }), steps: [], values: [] }
    if (known.steps.length === 0) series.set(name, known)
    known.steps.push(step)
    known.values.push(value)
  }
  return { type: 'points', step: last, series: [...series.values()] }
}
