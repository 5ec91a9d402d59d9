import type { MetricMeaning } from '../records/meaning.ts'
import type { Report } from '../records/report.ts'

/** The values of a batch, by the names of its tensors. */
export type BatchValues = Record<string, Float32Array | Int32Array>

/** What is known of each row of a prediction with a class for each; see judged.ts. */
export interface Judged {
  /** -log softmax(logits)[target]. */
  surprise: Float32Array
  /** How many other classes have no smaller logit; 0 where the row is right. */
  rank: Float32Array
}

/** What of the values of a batch a collector reads, by name; all of them where it does not say. */
interface Reads {
  reads?: readonly string[]
}

/** Collects one metric over an evaluation. */
export interface Evaluator extends Reads {
  /** Name after the split, e.g. `accuracy` in `test/accuracy`. */
  name: string
  meaning: MetricMeaning
  /** Takes a prediction, row by row, and the batch it was for. */
  add(prediction: Float32Array, batch: BatchValues): void
  /** The same of what was found of the rows, where that is enough: then large predictions need not be read. */
  addJudged?(rows: Judged, batch: BatchValues): void
  value(): number
  /** Why the value is not a number, where that is worth telling. */
  problem?(): string | undefined
}

/** Collects a report over an evaluation. */
export interface ReportCollector<Collected extends Report = Report> extends Reads {
  /** Takes a prediction, row by row, and the batch it was for. */
  add(prediction: Float32Array, batch: BatchValues): void
  value(): Collected
}
