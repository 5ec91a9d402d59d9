import { monaco } from './monaco.ts'
import { replacement } from './replacement.ts'
import { connectModels, type EditedCell, editorOf, modelAt, notebook, tellCellsChange } from './shown.ts'

const SCHEME = 'cell'

connectModels({ of: modelOf, changed: showIn, caret })

/** Shows cells in their models. Those of cells that are gone go too, when no editor has them. */
function showIn(cells: readonly EditedCell[], earlier: readonly EditedCell[]): void {
  const before = new Map(earlier.map((cell) => [cell.key, cell]))
  const byKey = new Map(cells.map((cell) => [cell.key, cell]))
  for (const model of cellModels()) {
    const cell = byKey.get(cellKeyOf(model))
    if (!cell && !model.isAttachedToEditor()) model.dispose()
    if (!cell) continue
    if (model.getLanguageId() !== cell.language) monaco.editor.setModelLanguage(model, cell.language)
    if (before.get(cell.key)?.source !== cell.source) setText(model, cell.source)
  }
}

/** The text of a cell, which outlives its editors. What can be undone is the notebook's to know. */
export function modelOf({ key, language, source }: EditedCell): monaco.editor.ITextModel {
  const uri = monaco.Uri.from({ scheme: SCHEME, path: `/${key}` })
  const known = monaco.editor.getModel(uri)
  if (known) return known
  const model = monaco.editor.createModel(source, language, uri)
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  model.onDidChangeContent(({ changes }) => {
    const edits = changes.map(({ rangeOffset, rangeLength, text }) => ({
      offset: rangeOffset,
      length: rangeLength,
      text,
    }))
    notebook()?.edited(key, model.getValue(), edits)
  })
  model.onDidChangeAttached(tellCellsChange)
  return model
}

/** The models that belong to cells. */
export function cellModels(): monaco.editor.ITextModel[] {
  return monaco.editor.getModels().filter(({ uri }) => uri.scheme === SCHEME)
}

/** The key of the cell that a model or its address belongs to. */
export function cellKeyOf({ uri }: { uri: monaco.Uri }): string {
  return uri.path.slice(1)
}

export function isCell(uri: monaco.Uri): boolean {
  return uri.scheme === SCHEME
}

/** Shows a cell and selects the name at a position of its text, once it has an editor. */
export function goTo(key: string, position: monaco.IPosition): void {
  const model = modelAt(key)
  if (!model) return
  notebook()?.show(key)
  inEditor(model, (editor) => {
    const { lineNumber, column } = position
    const word = model.getWordAtPosition(position)
    const [start, end] = word ? [word.startColumn, word.endColumn] : [column, column]
    editor.focus()
    editor.setSelection(new monaco.Range(lineNumber, start, lineNumber, end))
  })
}

function caret(key: string, offset: number): void {
  const model = modelAt(key)
  if (!model) return
  inEditor(model, (editor) => {
    const position = model.getPositionAt(offset)
    editor.setPosition(position)
    editor.revealPosition(position)
  })
}

/** Does something with the editor that has a model, at once or as soon as there is one. */
function inEditor(model: monaco.editor.ITextModel, act: (editor: monaco.editor.ICodeEditor) => void): void {
  const actNow = () => {
    const editor = editorOf(cellKeyOf(model))
    if (editor) act(editor)
    return editor !== undefined
  }
  if (actNow()) return
  const attached = model.onDidChangeAttached(() => {
    attached.dispose()
    queueMicrotask(actNow) // the editor is still being made
  })
}

/** Replaces what differs, so that carets elsewhere stay. */
function setText(model: monaco.editor.ITextModel, source: string): void {
  if (model.getValue() === source) return
  const { start, end, text } = replacement(model.getValue(), source)
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))
  model.applyEdits([{ range, text }])
}
