import type { MetricMeaning } from '../records/meaning.ts'
import type { StoredRun } from '../records/run.ts'

/**
 * A column of the table of runs, by name: a fact of the run (`study`, `seed`, `time`, ...), an option of its recipe, model
 * or data (`train.batch`), or a metric: `test/accuracy` is its last value, `best:validation/accuracy`, `min:` and `max:` are
 * what they say, `validation/accuracy@300` is the value at step 300.
 */
export type ColumnName = string

/** What a cell of the table holds; null where a run has no such thing. */
export type CellValue = string | number | null

export interface RunsSort {
  column: ColumnName
  descending: boolean
}

/** Which runs, in which order, and what of them. */
export interface RunsQuery {
  /** `task:mlm train.batch<64 tag:keep`, see engine/runs/filter.ts; archived runs only with `archived:yes`. */
  filter: string
  /** The newest come first where this does not decide. A value at a step sorts nothing. */
  sort: RunsSort[]
  columns: ColumnName[]
  offset: number
  limit: number
}

/** A run as the table shows it; `values` belong to the columns asked for. */
export interface RunLine
  extends Pick<StoredRun, 'id' | 'key' | 'study' | 'variant' | 'seed' | 'status' | 'error' | 'hasWeights'> {
  tags: string[]
  note: string
  archived: boolean
  values: CellValue[]
}

/** Some rows, and how many there are in all. */
export interface Page<Row> {
  total: number
  rows: Row[]
}

/** A number over the runs of a group: mean and sample standard deviation (null below two) of the `n` runs that have it. */
export interface Spread {
  mean: number
  sd: number | null
  n: number
}

/**
 * The runs that share all but their seed: study, variant, configuration (what they start from included) and the
 * fingerprint of the code.
 */
export interface RunGroup {
  study: string
  variant: string
  /** Whether the group is the pinned baseline of its study. */
  baseline: boolean
  /** Ids of its runs, by seed. */
  runs: number[]
  /**
   * Per column. A metric is the spread of its finished runs, or null without any; an option what all share. Of facts,
   * numbers that differ are a spread, `started` is the latest, and of `seed`, `status`, `tags`, `backend`, `device`,
   * `notebook` and `cell` all values are listed.
   */
  values: (CellValue | Spread)[]
}

/** The columns that the runs of the store can fill. */
export interface RunFields {
  facts: ColumnName[]
  options: ColumnName[]
  metrics: ColumnName[]
  /** What the metrics mean in all runs that have them. */
  meanings: Record<string, MetricMeaning>
  tags: string[]
  studies: string[]
}
