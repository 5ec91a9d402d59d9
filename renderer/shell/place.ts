import { z } from 'zod'
import { useFind } from '../find/state.ts'
import { asked, hold, viewNow } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'
import { useDialog } from '../ui/dialog.ts'
import { remember, remembered } from '../ui/remembered.ts'

/** Where somebody is in what an address shows, and what is open over it; `selected` is the id of a cell. */
const schema = z.object({
  selected: z.string().optional(),
  editing: z.boolean(),
  view: z.object({ cell: z.string().nullable(), y: z.number() }),
  find: z.object({ open: z.boolean(), query: z.string(), replacement: z.string(), matchCase: z.boolean() }),
  dialog: z.object({ open: z.enum(['palette', 'keys', 'history', 'conformance']).nullable().catch(null) }),
})

/** Has this tab keep the place of every address that it leaves or loads again. */
export function watchPlace(): void {
  window.addEventListener('hashchange', ({ oldURL }) => {
    if (oldURL) keep(new URL(oldURL).hash)
    asked.cell = false
  })
  window.addEventListener('pagehide', () => keep(location.hash))
}

function keep(hash: string): void {
  const { cells, selected, editing } = useNotebook.getState()
  const view = viewNow()
  if (!view) return // not drawn yet: what was kept before counts
  const place = { editing, view, find: useFind.getState(), dialog: useDialog.getState() }
  remember(keyOf(hash), { ...place, selected: cells.find(({ key }) => key === selected)?.id }, true)
}

/** Goes back to where the address was left, if it was and no cell is asked for; a page `loaded` anew also opens what was open over it. */
export function returnToPlace(hash: string, loaded: boolean): void {
  const { data: place } = schema.safeParse(remembered(keyOf(hash), true))
  if (!place || asked.cell) return
  const cell = useNotebook.getState().cells.find(({ id }) => id === place.selected)
  if (cell) useNotebook.setState({ selected: cell.key, editing: place.editing })
  if (loaded) useFind.setState(place.find)
  if (loaded) useDialog.setState(place.dialog)
  hold(place.view)
}

const keyOf = (hash: string) => `mixlab.place ${hash}`
