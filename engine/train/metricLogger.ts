import type { TrainEvent } from '../records/events.ts'
import { packOutcomes } from '../records/outcomes/pack.ts'
import type { EvaluationResults } from './evaluate.ts'

/** Logs the results of an evaluation as events of training. */
export type MetricLogger = (found: EvaluationResults, step: number) => Generator<TrainEvent>

/**
 * The metric logger of one training: metrics, reports, what came of each test example, and each problem of a metric once. `compared` is the metric by
 * which a study compares its variants.
 */
export function metricLogger(compared: string): MetricLogger {
  const told = new Set<string>()
  return function* ({ metrics, problems, report, outcomes }, step) {
    for (const [name, { value, meaning }] of metrics) {
      yield { type: 'metric', step, name, value, meaning: name === compared ? { ...meaning, compared: true } : meaning }
    }
    for (const message of problems) {
      if (!told.has(message)) yield { type: 'warning', step, message }
      told.add(message)
    }
    if (Object.keys(report).length > 0) yield { type: 'report', step, report }
    const packed = packOutcomes(outcomes)
    if (packed) yield { type: 'outcomes', step, outcomes: packed }
  }
}
