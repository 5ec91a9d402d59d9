/** Where in a notebook a run was asked for. Nothing of it enters the run key. */
export interface RunOrigin {
  /** A file of the workspace, or a path; null where the notebook has no name. */
  notebook: string | null
  /** The id of the cell that defines the study. */
  cell: string
  /** What that cell calls the study, or the list or plain object that has it; null for the value that ends the cell. */
  name: string | null
  /** The cell of the study and all cells it depends on, in percent format. */
  source: string
  /** Whether the study ran in its quick mode. */
  quick: boolean
}

/** The origin of a run as the store has it. */
export interface StoredOrigin extends RunOrigin {
  /** What `source` calls the variant of the run, which may have another name since. */
  variant: string
}
