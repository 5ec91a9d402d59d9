/** A cell of a percent-format notebook. */
export interface Cell {
  /** Stable within the notebook: the name in the header line, or one made from its position; unique. */
  id: string
  /** `raw`: text of a kind that is not known here; it is kept. */
  kind: 'code' | 'markdown' | 'sql' | 'raw'
  /** The cell's text without its header line; but for code without the comment marks. */
  source: string
  /** What another editor wrote behind the name, e.g. `{"tags": ["draft"]}` or `tags=["draft"]`; it is kept. */
  metadata?: string
}

/** What static analysis knows of one code cell. */
export interface CellFacts {
  id: string
  /** Top-level names the cell defines, imports included. */
  defines: string[]
  /** Names it uses and does not define itself. */
  uses: string[]
  /** Ids of the cells that define what it uses. */
  dependsOn: string[]
  /** SHA-256 of the tokens of the cell and of all cells it depends on; comments and white space do not count. */
  fingerprint: string
  /** A syntax error, a name that two cells define, or a cycle; such a cell cannot be evaluated. */
  error: string | null
}

export interface NotebookFacts {
  cells: CellFacts[]
  /** Ids of code cells, each after those it depends on. */
  order: string[]
}
