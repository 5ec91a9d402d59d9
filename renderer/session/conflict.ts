import { withCell } from '../../engine/notebook/merge.ts'
import type { Cell } from '../../engine/notebook/types.ts'
import { notify } from '../ui/notices.ts'
import { plainCells } from './edit.ts'
import { acceptMerge } from './files/merge.ts'
import { changed, save } from './files/save.ts'
import { showCells } from './open.ts'
import { type Conflict, useNotebook } from './state.ts'

/** Keeps a cell as it is here; the version on disk can be had back. */
export function keepMine(id: string): void {
  const { conflict } = useNotebook.getState()
  const cell = conflict?.cells.find((each) => each.id === id)
  if (!conflict || !cell) return
  offerOther(id, cell.theirs, conflict, 'The version on disk was replaced.')
  settle(id, conflict)
}

/** Shows a cell as it is on disk; the version of the page can be had back. */
export function takeTheirs(id: string): void {
  const { conflict, cells } = useNotebook.getState()
  const cell = conflict?.cells.find((each) => each.id === id)
  if (!conflict || !cell) return
  const mine = plainCells(cells).find((each) => each.id === id) ?? null
  showCells(withCell(plainCells(cells), id, cell.theirs, conflict.theirs))
  offerOther(id, mine, conflict, 'Your version was replaced.')
  settle(id, conflict)
}

/** Once the user has decided on the last cell, the notebook is saved. */
function settle(id: string, conflict: Conflict): void {
  const cells = conflict.cells.filter((cell) => cell.id !== id)
  if (cells.length > 0) {
    useNotebook.setState({ conflict: { ...conflict, cells } })
    return
  }
  acceptMerge(conflict.file, conflict.theirs)
  changed()
  void save()
}

function offerOther(id: string, other: Cell | null, { theirs }: Conflict, message: string): void {
  const { name } = useNotebook.getState()
  const run = () => {
    const now = useNotebook.getState()
    if (now.name !== name) return
    showCells(withCell(plainCells(now.cells), id, other, theirs))
    changed()
  }
  notify({ text: `${message} (${id})`, action: { label: 'Undo', run } })
}
