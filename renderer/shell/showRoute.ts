import type { NotebookFile } from '../../engine/host.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { useConnection } from '../host/state.ts'
import { select, takingBack } from '../session/actions.ts'
import { takeFresh } from '../session/files/files.ts'
import { dropEntry, readEntry } from '../session/files/journal.ts'
import { mergeFile } from '../session/files/merge.ts'
import { changed, save } from '../session/files/save.ts'
import { outlivesPage } from '../session/kernel/source.ts'
import { openNotebook, showCells, showText } from '../session/open.ts'
import { leave, reattach } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { notify } from '../ui/notices.ts'
import { notebookHash, type Route, START_HASH } from '../ui/route.ts'
import { returnToPlace } from './place.ts'

let asked = 0
let loaded = true

/** Opens the notebook that the address names, or the workspace's own; of several requests the last one wins. */
export async function showRoute(route: Route): Promise<void> {
  const first = loaded
  loaded = false
  if (route.view !== 'notebook') return first ? returnToPlace(location.hash, true) : undefined
  const { description, notebooks } = useConnection.getState()
  const own = description?.notebook ?? ''
  const name = route.name ?? (notebooks.includes(own) ? own : notebooks[0])
  if (!name) {
    history.replaceState(null, '', START_HASH)
    dispatchEvent(new HashChangeEvent('hashchange')) // replacing an address fires no event
    return
  }
  if (route.name === null) history.replaceState(null, '', notebookHash(name))
  const request = ++asked
  const open = useNotebook.getState().name
  if (open === name) return returnToPlace(notebookHash(name), false)
  await save()
  if (request !== asked) return
  if (open !== null || outlivesPage()) leave() // on the desktop each notebook has its own kernel
  const file = await openNotebook(name)
  const made = takeFresh(name)
  if (!file) return
  restoreUnsaved(file)
  returnToPlace(notebookHash(name), first)
  void reattach()
  if (made) select(useNotebook.getState().cells[0]?.key ?? null, true)
}

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
  const run = takingBack(() => {
    showText(file.text)
    changed()
  })
  notify({ text: 'Changes that had not been saved are back.', action: { label: 'Undo', run } })
}
