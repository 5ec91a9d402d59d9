import type { FileSource } from './data/files.ts'
import type { Histogram } from './records/histogram.ts'
import type { RunReport } from './records/report.ts'
import type { StoredRun, StoredRunDetails } from './records/run.ts'
import type { KeptWeights, RunStore } from './records/store.ts'
import type { Page, RunFields, RunGroup, RunLine, RunsQuery } from './runs/types.ts'

/** How the values or the gradients of a tensor of a run were spread at a step. */
export interface StoredHistogram extends Histogram {
  name: string
  kind: 'weights' | 'gradients'
  step: number
}

/** Everything that kernel and page ask of their environment. Flat and serialisable: the same calls go over a socket or a port. */
export interface Host extends FileSource, RunStore {
  describe(): Promise<HostDescription>

  listNotebooks(): Promise<string[]>
  readNotebook(name: string): Promise<NotebookFile>
  /** Writes atomically. Throws MixlabError `notebook` if the file changed since `revision`. Returns the new revision. */
  writeNotebook(name: string, text: string, revision: string | null): Promise<string>
  /** Gives a notebook, its history and its outputs another name. Throws MixlabError `notebook` if that is taken. */
  renameNotebook(from: string, to: string): Promise<void>
  /** The earlier texts of a notebook, newest first: all of the last hour, then one an hour, after a week one a day. */
  listVersions(notebook: string): Promise<NotebookVersion[]>
  /** The text that a notebook had. Throws MixlabError `notebook` if it is not kept. */
  readVersion(notebook: string, at: number): Promise<string>

  readOutputs(notebook: string): Promise<CellOutput[]>
  writeOutput(notebook: string, output: CellOutput): Promise<void>

  listRuns(filter?: RunFilter): Promise<StoredRun[]>
  /** Some of the runs that pass a filter, in an order. Throws MixlabError `option` for what the query may not ask. */
  queryRuns(query: RunsQuery): Promise<Page<RunLine>>
  /** The same with the runs of a configuration as one row; sorted by the mean over its finished runs. */
  groupRuns(query: RunsQuery): Promise<Page<RunGroup>>
  runFields(): Promise<RunFields>
  /** Throws MixlabError `option` for what cannot be a tag, and `store` for an unknown run, as the next two. */
  tagRuns(ids: number[], add: string[], remove: string[]): Promise<void>
  noteRun(id: number, note: string): Promise<void>
  archiveRuns(ids: number[], archived: boolean): Promise<void>
  /** The variant that the others of a study are compared with; null unpins it. Throws MixlabError `option`. */
  pinBaseline(study: string, variant: string | null): Promise<void>
  /** The pinned variants, by study. */
  baselines(): Promise<Record<string, string>>
  /** One run with its spec and code. Throws MixlabError `store` for an unknown reference. */
  showRun(reference: string): Promise<StoredRunDetails>
  /** Several runs in the order of their ids; throws as `showRun`. */
  showRuns(ids: number[]): Promise<StoredRunDetails[]>
  /**
   * The points of one metric of several runs, at most about `buckets` points each (1,000 if left out): of every stretch
   * the smallest, the largest and the first that is not a number. With `range`, the points of these steps and the one
   * before and after them.
   */
  readSeries(ids: number[], metric: string, buckets?: number, range?: StepRange): Promise<Series[]>
  /**
   * Metrics over the runs of groups, at about `buckets` steps at most (500 if left out): a band per metric and group, by
   * metric, without steps where no run has points.
   */
  readBands(groups: SeriesGroup[], metrics: string[], buckets?: number, range?: StepRange): Promise<SeriesBand[]>
  /** What the last evaluation of a run told beyond its metrics; null for nothing. Throws `store` for an unknown run. */
  readReport(id: number): Promise<RunReport | null>
  /** Which weights of a run there are, by step. Throws MixlabError `store` for an unknown run. */
  listWeights(id: number): Promise<KeptWeights[]>
  /** The names of the tensors that a run has histograms of. Throws MixlabError `store` for an unknown run. */
  listHistograms(id: number): Promise<string[]>
  /** The histograms of a tensor of a run, or of all, by tensor, kind and step; throws as `listHistograms`. */
  readHistograms(id: number, name?: string): Promise<StoredHistogram[]>
  /**
   * Answers one SQL query on the store (docs/notebook.md), which it cannot change. For the user alone: the code of cells
   * cannot call this. Throws MixlabError `store`, with the path `line <n>` where that is known.
   */
  querySql(sql: string): Promise<SqlResult>
  /** Stops the query of this text, if it is not answered yet. */
  cancelSql(sql: string): Promise<void>

  /** Lets data files under `path` be read, in this workspace, from now on. */
  allowData(path: string): Promise<void>
}

export interface HostDescription {
  version: string
  /** Absolute path of the workspace. */
  workspace: string
  /** The notebook to show first, if any. */
  notebook: string | null
}

export interface NotebookFile {
  name: string
  text: string
  /** Changes whenever the text on disk changes. */
  revision: string
}

/** A text that a notebook had. */
export interface NotebookVersion {
  /** When it was written, in ms since 1970; there is one version of a time. */
  at: number
}

/** What a cell last showed. `fingerprint` is that of the cell and all it depends on when it ran. */
export interface CellOutput {
  cell: string
  fingerprint: string
  /** JSON; its shape belongs to the page. */
  output: unknown
}

export interface RunFilter {
  study?: string
  variant?: string
  status?: StoredRun['status']
  keys?: string[]
  /** Those that a notebook made, or one of its cells. */
  notebook?: string
  cell?: string
  limit?: number
}

export interface Series {
  run: number
  steps: number[]
  values: number[]
}

/** First and last step. */
export type StepRange = [from: number, to: number]

/** Runs whose series are taken together. */
export interface SeriesGroup {
  name: string
  runs: number[]
}

/**
 * One metric over the runs of a group. Where the runs have more points than were asked for, each step stands for a
 * stretch of steps, and the value of a run is the mean of its numbers there; a run without points in a stretch, but with
 * some before and after it, has the value between these.
 */
export interface SeriesBand {
  group: string
  metric: string
  steps: number[]
  /** Over the runs that have a value there, of which there are `n`. */
  mean: number[]
  /** Sample standard deviation over these runs; null where there is only one. */
  sd: (number | null)[]
  /** The smallest and the largest of all points of these runs. */
  min: number[]
  max: number[]
  n: number[]
}

export type SqlValue = string | number | null

export interface SqlResult {
  columns: string[]
  /** One value per column. Bytes are told by their number, long texts cut. */
  rows: SqlValue[][]
  /** Whether there are more rows than these. */
  truncated: boolean
}
