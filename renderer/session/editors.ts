import { connectCells, connectEditors } from '../editor/shown.ts'
import { select, typedIn } from './actions.ts'
import type { PageCell } from './edit.ts'
import { reveal } from './reveal.ts'
import { useNotebook } from './state.ts'

const LANGUAGES: Record<PageCell['kind'], string> = {
  code: 'typescript',
  markdown: 'markdown',
  raw: 'plaintext',
  sql: 'sql',
}

/** Keeps the editors and the open notebook the same from now on. */
export function beginEditing(): void {
  connectEditors({
    edited: typedIn,
    show: (key) => {
      select(key, true)
      reveal()
    },
  })
  useNotebook.subscribe(({ cells }, before) => {
    if (cells !== before.cells) connectCells(cells.map((cell) => ({ ...cell, language: LANGUAGES[cell.kind] })))
  })
}
