import { select } from '../session/actions.ts'
import { reveal } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'

/** Selects a cell of the notebook that the page goes to, once that is open and where it still has it. */
export function showCell(notebook: string, cell: string): void {
  const show = (stop = () => {}) => {
    const { name, revision, cells } = useNotebook.getState()
    if (name !== notebook || revision === null) return false // before that the notebook chooses a cell itself
    stop()
    const found = cells.find(({ id }) => id === cell)
    if (found) select(found.key)
    reveal()
    return true
  }
  const wait = () => {
    if (show()) return
    const stop = useNotebook.subscribe(() => void show(stop))
  }
  window.addEventListener('hashchange', wait, { once: true })
}
