import { IconButton } from '../shell/IconButton.tsx'
import { addCell, deleteCell, moveCell, select } from './actions.ts'
import type { PageCell } from './edit.ts'

/** What can be done with a cell as a whole. */
export function CellToolbar({ cell, index, last }: { cell: PageCell; index: number; last: boolean }) {
  const { key, kind } = cell
  return (
    <div className="cell-toolbar" role="toolbar" aria-label={`cell ${cell.id}`}>
      {kind === 'markdown' && <IconButton icon="edit" label="Edit" keys="Enter" onClick={() => select(key, true)} />}
      <IconButton icon="up" label="Move up" disabled={index === 0} onClick={() => moveCell(key, -1)} />
      <IconButton icon="down" label="Move down" disabled={last} onClick={() => moveCell(key, 1)} />
      <IconButton icon="add" label="Add cell below" keys="B" onClick={() => addCell(index + 1)} />
      <IconButton icon="remove" label="Delete cell" onClick={() => deleteCell(key)} />
    </div>
  )
}
