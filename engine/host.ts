import type { RunReport } from './evaluate/report.ts'
import type { RunStart, StoredRun } from './study/types.ts'
import type { TrainEvent } from './train/events.ts'

/** Reads the user's data files. Paths are relative to the notebook's workspace, or absolute. */
export interface FileSource {
  /** Entries of a folder, sorted by name. Throws MixlabError `data` (missing) or `permission`. */
  list(path: string): Promise<FileEntry[]>
  /**
   * A file, or its bytes from `from` to `to` (not included), fewer where it ends before. Throws MixlabError `data`
   * (missing) or `permission`.
   */
  read(path: string, from?: number, to?: number): Promise<Uint8Array>
}

export interface FileEntry {
  name: string
  kind: 'file' | 'folder'
  /** Bytes; 0 for a folder. */
  size: number
}

/** Where runs are kept. */
export interface RunStore {
  /** The finished runs among `keys`, with their metrics. */
  findDone(keys: string[]): Promise<StoredRun[]>
  /** Of those among `keys` that were interrupted on a backend, the steps done at their last checkpoint. */
  findResumable(keys: string[], backend: string): Promise<{ key: string; step: number }[]>
  /**
   * Takes up the interrupted attempt of a run on its backend, or starts a new one, and returns the id. Null where
   * somebody else trains it or it is done.
   */
  beginRun(run: RunStart): Promise<number | null>
  /** What a run needs to go on from its last checkpoint, or null. Throws MixlabError `store` where it is lost. */
  readState(id: number): Promise<Uint8Array | null>
  /** Appends events in one transaction. `checkpoint`, `done`, `failed` and `interrupted` change the run itself. */
  record(id: number, events: TrainEvent[]): Promise<void>
  /**
   * The latest weights of a run as a safetensors file, or those that were best by the task's metric. Throws MixlabError
   * `store` if it has none.
   */
  readWeights(id: number, which?: 'last' | 'best'): Promise<Uint8Array>
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
  /** One run with its spec and code. Throws MixlabError `store` for an unknown reference. */
  showRun(reference: string): Promise<StoredRunDetails>
  /** The points of one metric of several runs, at most about `buckets` points each, extremes kept. */
  readSeries(ids: number[], metric: string, buckets?: number): Promise<Series[]>
  /** What the last evaluation of a run told beyond its metrics; null for nothing. Throws `store` for an unknown run. */
  readReport(id: number): Promise<RunReport | null>
  /**
   * Answers one SQL query on the store (docs/notebook.md), which it cannot change. For the user alone: the code of cells
   * cannot call this. Throws MixlabError `store`, with the path `line <n>` where that is known.
   */
  querySql(sql: string): Promise<SqlResult>

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
  limit?: number
}

export interface StoredRunDetails extends StoredRun {
  spec: unknown
  /** The source of the block and of all cells it depends on. */
  code: string
}

export interface Series {
  run: number
  steps: number[]
  values: number[]
}

export type SqlValue = string | number | null

export interface SqlResult {
  columns: string[]
  /** One value per column. Bytes are told by their number, long texts cut. */
  rows: SqlValue[][]
  /** Whether there are more rows than these. */
  truncated: boolean
}
