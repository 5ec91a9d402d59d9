import { keepIds } from '../../../engine/notebook/keepIds.ts'
import { isSameCell, mergeNotebooks } from '../../../engine/notebook/merge.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import type { Cell } from '../../../engine/notebook/types.ts'
import { plainCells } from '../edit.ts'
import { showCells } from '../open.ts'
import { type Base, useNotebook } from '../state.ts'

/**
 * Brings the file, as someone else or a write of ours without an answer has left it, together with the cells of the page, and asks about cells that both
 * changed. Afterwards `saving` says whether the page has anything that the file lacks.
 */
export function mergeFile(file: { text: string; revision: string }, base: Base = useNotebook.getState().base): void {
  const now = useNotebook.getState()
  const from = now.sent.find(({ text }) => text === file.text) ?? base
  const theirs = keepIds(parseNotebook(file.text), from.cells)
  const { cells, conflicts } = mergeNotebooks(from.cells, plainCells(now.cells), theirs)
  showCells(cells, file.text)
  if (conflicts.length > 0) {
    useNotebook.setState({ conflict: { file, theirs, cells: conflicts }, saving: 'changed' })
  } else {
    acceptMerge(file, theirs)
    useNotebook.setState({ saving: isSameNotebook(cells, theirs) ? 'saved' : 'changed', saveError: null })
  }
}

/** Accepts the merge: the page has what is on disk, and the user has nothing to decide. */
export function acceptMerge(file: { text: string; revision: string }, theirs: Cell[]): void {
  const base = { text: file.text, cells: theirs }
  useNotebook.setState({ conflict: null, revision: file.revision, base, sent: [] })
}

function isSameNotebook(a: Cell[], b: Cell[]): boolean {
  return a.length === b.length && a.every((cell, at) => cell.id === b[at]?.id && isSameCell(cell, b[at] ?? null))
}
