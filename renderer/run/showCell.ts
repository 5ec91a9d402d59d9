import { goToLine } from '../model/goToLine.ts'
import { select } from '../session/actions.ts'
import { reveal } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'
import { notebookHash } from '../ui/route.ts'

/** Selects a cell, or a line `<cell>:<line>`, of the notebook that the page goes to, once that is open and where it still has it. */
export function showCell(notebook: string, place: string): void {
  const wait = () => {
    if (isOpen(notebook)) return show(place)
    const stop = useNotebook.subscribe(() => {
      if (!isOpen(notebook)) return
      stop() // selecting is a change, too
      show(place)
    })
  }
  window.addEventListener('hashchange', wait, { once: true })
}

/** Goes to a cell, from whatever page. */
export function goToCell(notebook: string, cell: string): void {
  if (location.hash === notebookHash(notebook)) show(cell)
  else {
    showCell(notebook, cell)
    location.hash = notebookHash(notebook)
  }
}

/** Before a notebook is open it chooses a cell itself. */
function isOpen(notebook: string): boolean {
  const { name, revision } = useNotebook.getState()
  return name === notebook && revision !== null
}

function show(place: string): void {
  if (place.includes(':')) {
    goToLine(place)
    return
  }
  const found = useNotebook.getState().cells.find(({ id }) => id === place)
  if (found) select(found.key)
  reveal()
}
