import type { Cell } from '../../engine/notebook/types.ts'
import { plainCells } from '../session/edit.ts'
import { changed } from '../session/files/save.ts'
import { showCells, showText } from '../session/open.ts'
import { useNotebook } from '../session/state.ts'
import { notify } from '../ui/notices.ts'

/** Shows an earlier text of the open notebook and saves it; what it replaces can be had back, and is kept as a version. */
export function restoreVersion(text: string, time: string): void {
  const { name, cells } = useNotebook.getState()
  const before: Cell[] = plainCells(cells)
  showText(text)
  changed()
  const run = () => {
    if (useNotebook.getState().name !== name) return
    showCells(before)
    changed()
  }
  notify({ text: `Restored the version of ${time}.`, action: { label: 'Undo', run } })
}
