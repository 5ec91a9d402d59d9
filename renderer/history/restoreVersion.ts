import type { Cell } from '../../engine/notebook/types.ts'
import { plain, showCells, showText } from '../notebook/open.ts'
import { changed } from '../notebook/save.ts'
import { useNotebook } from '../notebook/state.ts'
import { notify } from '../shell/notices.ts'

/** Shows an earlier text of the open notebook and saves it; what it replaces can be had back, and is kept as a version. */
export function restoreVersion(text: string, time: string): void {
  const { name, cells } = useNotebook.getState()
  const before: Cell[] = plain(cells)
  showText(text)
  changed()
  const run = () => {
    if (useNotebook.getState().name !== name) return
    showCells(before)
    changed()
  }
  notify({ text: `Restored the version of ${time}.`, action: { label: 'Undo', run } })
}
