import type { monaco } from './monaco.ts'

// The cells that the editors show, without the editors, which are loaded later.

/** A cell that can be edited. */
export interface EditedCell {
  key: string
  language: string
  source: string
}

/** What editors ask of the notebook. */
export interface Notebook {
  /** The user has changed the text of a cell, by these changes at once. */
  edited(key: string, source: string, changes: { offset: number; length: number; text: string }[]): void
  /** A cell is to be seen and written in. */
  show(key: string): void
}

/** The models of cells, once editors are loaded. */
interface Models {
  /** The model of a cell, made where it has none yet. */
  of(cell: EditedCell): monaco.editor.ITextModel
  changed(cells: readonly EditedCell[], before: readonly EditedCell[]): void
  caret(key: string, offset: number): void
}

let cells: readonly EditedCell[] = []
let owner: Notebook | null = null
let models: Models | null = null
const listeners = new Set<() => void>()
const editors = new Map<string, monaco.editor.ICodeEditor>()

/** Says whom the editors belong to. */
export function connectEditors(notebook: Notebook): void {
  owner = notebook
}

export function notebook(): Notebook | null {
  return owner
}

/** The editors are loaded. */
export function connectModels(loaded: Models): void {
  models = loaded
}

/** Shows cells in the models of their editors. */
export function connectCells(shown: readonly EditedCell[]): void {
  const before = cells
  cells = shown
  models?.changed(shown, before)
  tellCellsChange()
}

/** Puts the caret into the text of a cell, once it has an editor. */
export function placeCaret(key: string, offset: number): void {
  models?.caret(key, offset)
}

export function shownCells(): readonly EditedCell[] {
  return cells
}

/** Calls `changed` whenever cells or their texts change, or an editor shows or leaves one. */
export function onCellsChange(changed: () => void): void {
  listeners.add(changed)
}

export function tellCellsChange(): void {
  for (const listener of listeners) listener()
}

/** The model of a cell of the notebook, made where it has none yet; null before editors are loaded. */
export function modelAt(key: string): monaco.editor.ITextModel | null {
  const cell = cells.find((each) => each.key === key)
  return (cell && models?.of(cell)) ?? null
}

/** Notes the editor of a cell; returns how to forget it. */
export function noteEditor(key: string, editor: monaco.editor.ICodeEditor): () => void {
  editors.set(key, editor)
  return () => {
    if (editors.get(key) === editor) editors.delete(key)
  }
}

/** The editor of a cell, where it has one. */
export function editorOf(key: string): monaco.editor.ICodeEditor | undefined {
  return editors.get(key)
}
