// Plain data of a workspace: its notebooks, what their cells showed, and answers to SQL.

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

/** A notebook in the bin. */
export interface DeletedNotebook {
  /** Its file there, in `.mixlab/bin`. */
  id: string
  /** The name that it had. */
  name: string
  /** When it was deleted, in ms since 1970. */
  at: number
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

export type SqlValue = string | number | null

export interface SqlResult {
  columns: string[]
  /** One value per column. Of bytes only their number is given, and long texts are cut. */
  rows: SqlValue[][]
  /** Whether there are more rows than these. */
  truncated: boolean
}
