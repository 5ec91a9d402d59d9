import type { MetricMeaning } from '../records/meaning.ts'
import type { Report } from '../records/report.ts'

/** The values of a batch, by the names of its tensors. */
export type BatchValues = Record<string, Float32Array | Int32Array>

/** Collects one metric over an evaluation. */
export interface Evaluator {
  /** Name after the split, e.g. `accuracy` in `test/accuracy`. */
  name: string
  meaning: MetricMeaning
  /** Takes a prediction, row by row, and the batch it was for. */
  add(prediction: Float32Array, batch: BatchValues): void
  value(): number
  /** Why the value is not a number, where that is worth telling. */
  problem?(): string | undefined
}

/** Collects a report over an evaluation. */
export interface ReportCollector<Collected extends Report = Report> {
  /** Takes a prediction, row by row, and the batch it was for. */
  add(prediction: Float32Array, batch: BatchValues): void
  value(): Collected
}
