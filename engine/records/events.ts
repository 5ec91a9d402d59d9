import type { Histogram } from './histogram.ts'
import type { MetricMeaning } from './meaning.ts'
import type { RunReport } from './report.ts'

/** What `train()` yields, in order. Plain data: it crosses worker, socket and process boundaries as it is. */
export type TrainEvent =
  /**
   * `parameters` counts trained values, `taken` those among them that another run had learned. `macs` are the multiply-adds
   * of a forward pass of one example, left out where the code cannot be traced. `resumedAt` is the number of steps that
   * an earlier attempt had done at its last checkpoint; what it logged after them is void.
   */
  | { type: 'start'; steps: number; parameters: number; taken?: number; macs?: number; resumedAt?: number }
  /**
   * A finished optimizer step. `ms` is the time since the last one, or since what lay between: `paused`, an evaluation or a
   * checkpoint. Of it the step `waited` for its batch. Times of under a millisecond are left out.
   */
  | { type: 'step'; step: number; ms: number; waited?: number; paused?: number }
  /** `step` is the number of optimizer steps done when the value was taken. */
  | { type: 'metric'; step: number; name: string; value: number; meaning?: MetricMeaning | undefined }
  /**
   * The weights that are evaluated, as a safetensors file with the names and layouts of the PyTorch reference; those
   * that were best on validation, where these changed since the last checkpoint, with the steps done when they were
   * taken; and, unless training is at its end, what it needs to go on from here (see state.ts).
   */
  | { type: 'checkpoint'; step: number; weights: Uint8Array; best?: Uint8Array; bestStep?: number; state?: Uint8Array }
  /** The weights that are evaluated, as they are kept on the way; a file as in a checkpoint. */
  | { type: 'snapshot'; step: number; weights: Uint8Array }
  /**
   * By parameter name: how the trained values are spread, with the norm of what this step changed of them, and their gradients
   * of this step, before clipping.
   */
  | { type: 'histograms'; step: number; weights: Record<string, Histogram>; gradients: Record<string, Histogram> }
  /** The report of the evaluation on the test splits. */
  | { type: 'report'; step: number; report: RunReport }
  /** What came of each example of the tests, as bytes of `packOutcomes`. */
  | { type: 'outcomes'; step: number; outcomes: Uint8Array }
  /** What the user should know; training goes on. With `code` it is of the variant, whatever the seed. */
  | { type: 'warning'; step: number; message: string; code?: true }
  | { type: 'done'; step: number }
  /** Training cannot continue, e.g. because a loss is not finite. With `code` every seed of the variant would fail alike. */
  | { type: 'failed'; step: number; message: string; code?: true }
  | { type: 'interrupted'; step: number }

/** What `metric` events up to a step say, in columns. */
export interface PointColumns {
  type: 'points'
  step: number
  series: { name: string; meaning?: MetricMeaning | undefined; steps: number[]; values: number[] }[]
}

/** What a store takes: the events of training, or the same with points in columns. */
export type RecordedEvent = TrainEvent | PointColumns

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

type Point = Extract<TrainEvent, { type: 'step' | 'metric' }>

/** Whether an event is a step or a metric, which come by the thousand. */
export function isPoint(event: TrainEvent | undefined): event is Point {
  return event?.type === 'step' || event?.type === 'metric'
}

/** Steps and metrics, with the points of each metric as two columns. */
export function columnsOf(events: TrainEvent[]): PointColumns {
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
