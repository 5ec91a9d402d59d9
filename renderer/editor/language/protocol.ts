/** A cell whose text is TypeScript. */
export interface CellText {
  key: string
  source: string
}

/** A part of the text of a cell; offsets in UTF-16 units. */
export interface TextRange {
  key: string
  start: number
  end: number
}

/** A part of a file that is no cell: the declarations of a module that cells import. */
export interface Elsewhere {
  /** `/node_modules/mixlab/nn/layers.d.ts` */
  path: string
  text: string
  start: number
  end: number
}

export interface Completion {
  name: string
  /** TypeScript's word, such as 'const', 'method' or 'property'. */
  kind: string
  sortText: string
  deprecated: boolean
  /** What it takes the place of; null for the word before the caret. */
  replaces: TextRange | null
  /** The cell that defines a name which is not used here yet. */
  from: string | null
  /** The module that it has to be imported from first. */
  module: string | null
}

/** A name of a module, to be imported; `type` for what is no value. */
export interface Imported {
  name: string
  module: string
  type: boolean
}

/** `text` goes where `at` is. */
export interface TextEdit {
  at: TextRange
  text: string
}

/** Something to do about a name that is not known. */
export interface Fix {
  kind: 'import' | 'importAll' | 'spelling'
  title: string
  edits: TextEdit[]
}

/** What identifies a completion when its details are requested. */
export type Completed = Pick<Completion, 'name' | 'from' | 'module'>

/** A type, and what its doc comment says in markdown. */
export interface TypeDescription {
  type: string
  documentation: string
}

export interface Hover extends TypeDescription {
  at: TextRange
}

export interface SignatureHelp {
  signature: number
  parameter: number
  signatures: { label: string; documentation: string; parameters: { label: string; documentation: string }[] }[]
}

export interface Problem {
  at: TextRange
  severity: 'error' | 'warning' | 'hint'
  message: string
}

/** What is to be changed, or why that is not possible. */
export type Rename = { edits: TextEdit[] } | { refused: string }

/** What the language worker offers. Where it has nothing to say, results are null or empty. */
export interface LanguageCalls {
  /** Sends changes: the cells in order, and the text of those that are new or different. */
  setCells(keys: string[], changed: CellText[]): void
  complete(key: string, offset: number): Completion[]
  describe(key: string, offset: number, completion: Completed): TypeDescription | null
  /** What makes a cell import the name of a completion. */
  importing(key: string, completion: Completed): TextEdit[]
  /** What can be done about the unknown names between two offsets of a cell. */
  fixes(key: string, start: number, end: number): Fix[]
  hover(key: string, offset: number): Hover | null
  signature(key: string, offset: number): SignatureHelp | null
  definition(key: string, offset: number): (TextRange | Elsewhere)[]
  /** The name that would be renamed at `offset`. */
  renamed(key: string, offset: number): TextRange | null
  rename(key: string, offset: number, name: string): Rename
  problems(key: string): Problem[]
  /** A text in which top-level definitions with a taken name have another. */
  freed(source: string, taken: readonly string[]): string
}
