import { useConnection } from '../host/state.ts'
import { select } from '../session/actions.ts'
import { takeFresh } from '../session/files/files.ts'
import { save } from '../session/files/save.ts'
import { outlivesPage } from '../session/kernel/source.ts'
import { openNotebook } from '../session/open.ts'
import { restoreUnsaved } from '../session/restore.ts'
import { leave, takeUp } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { notebookHash, type Route, START_HASH } from '../ui/route.ts'
import { returnToPlace } from './place.ts'

let asked = 0
let loaded = true

/** Opens the notebook that the address names; without one, that of the workspace. Of several, the last asked for. */
export async function showRoute(route: Route): Promise<void> {
  const first = loaded
  loaded = false
  if (route.view !== 'notebook') return first ? returnToPlace(location.hash, true) : undefined
  const { description, notebooks } = useConnection.getState()
  const own = description?.notebook ?? ''
  const name = route.name ?? (notebooks.includes(own) ? own : notebooks[0])
  if (!name) {
    history.replaceState(null, '', START_HASH)
    dispatchEvent(new HashChangeEvent('hashchange')) // replaced, it tells nobody
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
  void takeUp()
  if (made) select(useNotebook.getState().cells[0]?.key ?? null, true)
}
