import type { NotebookFile } from '../../engine/host.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { notify } from '../ui/notices.ts'
import { dropEntry, readEntry } from './files/journal.ts'
import { mergeFile } from './files/merge.ts'
import { changed } from './files/save.ts'
import { showCells, showText } from './open.ts'
import { useNotebook } from './state.ts'

/** Brings back what was typed in the notebook just opened and never reached its file. */
export function restoreUnsaved(file: NotebookFile): void {
  const entry = readEntry(file.name)
  if (!entry) return
  if (JSON.stringify(entry.cells) === JSON.stringify(parseNotebook(file.text))) {
    dropEntry(file.name)
    return
  }
  showCells(entry.cells)
  const base = entry.sent.includes(file.text) ? file.text : entry.base
  if (entry.revision !== file.revision) mergeFile(file, { text: base, cells: parseNotebook(base) })
  changed()
  if (useNotebook.getState().conflict) return // the banner asks
  const run = () => {
    if (useNotebook.getState().name !== file.name) return
    showText(file.text)
    changed()
  }
  notify({ text: 'Changes that had not been saved are back.', action: { label: 'Undo', run } })
}
