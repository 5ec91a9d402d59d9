import type { RecordedEvent, TrainEvent } from '../../../engine/records/events.ts'

/** Events without columns: the points of each metric as `metric` events, one metric after the other. */
export function inEvents(events: RecordedEvent[]): TrainEvent[] {
  return events.flatMap((event): TrainEvent[] => {
    if (event.type !== 'points') return [event]
    return event.series.flatMap(({ name, meaning, steps, values }) =>
      steps.map((step, i) => ({
        type: 'metric',
        step,
        name,
        value: values[i] ?? Number.NaN,
        ...(meaning && { meaning }),
      })),
    )
  })
}
