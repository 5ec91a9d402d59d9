import { select } from '../session/actions.ts'
import { reveal } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'
import { notebookHash } from '../ui/route.ts'

/** Selects a cell of the notebook that the page goes to, once that is open and where it still has it. */
export function showCell(notebook: string, cell: string): void {
  const wait = () => {
    if (show(notebook, cell)) return
    const stop = useNotebook.subscribe(() => show(notebook, cell) && stop())
  }
  window.addEventListener('hashchange', wait, { once: true })
}

/** Goes to a cell, from whatever page. */
export function goToCell(notebook: string, cell: string): void {
  if (location.hash === notebookHash(notebook)) show(notebook, cell)
  else {
    showCell(notebook, cell)
    location.hash = notebookHash(notebook)
  }
}

/** Returns whether the notebook was open. */
function show(notebook: string, cell: string): boolean {
  const { name, revision, cells } = useNotebook.getState()
  if (name !== notebook || revision === null) return false // before that the notebook chooses a cell itself
  const found = cells.find(({ id }) => id === cell)
  if (found) select(found.key)
  reveal()
  return true
}
