import type { TrainEvent } from '../records/events.ts'
import type { Evaluated } from './evaluate.ts'

/** Tells what an evaluation found; `compared` is the metric by which variants are compared. */
export type Tell = (found: Evaluated, step: number) => Generator<TrainEvent>

/** Tells evaluations of one training, each problem of a metric once. */
export function telling(compared: string): Tell {
  const told = new Set<string>()
  return function* ({ metrics, problems, report }, step) {
    for (const [name, { value, meaning }] of metrics) {
      yield { type: 'metric', step, name, value, meaning: name === compared ? { ...meaning, compared: true } : meaning }
    }
    for (const message of problems) {
      if (!told.has(message)) yield { type: 'warning', step, message }
      told.add(message)
    }
    if (Object.keys(report).length > 0) yield { type: 'report', step, report }
  }
}
