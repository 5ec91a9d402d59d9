import type { Cell } from '../../engine/notebook/types.ts'
import { deleteCell, pasteCell } from './actions.ts'
import type { PageCell } from './edit.ts'

/** The cell copied or cut last, of whatever notebook. */
let held: Cell | null = null

export function copyCell(cell: PageCell): void {
  held = cell
}

export function cutCell(cell: PageCell): void {
  held = cell
  deleteCell(cell.key)
}

/** Puts the cell that was copied or cut at `index`. */
export function pasteAt(index: number): void {
  if (held) pasteCell(index, held)
}
