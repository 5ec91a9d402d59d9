import { IconButton } from '../shell/IconButton.tsx'
import { addCell, deleteCell, moveCell, select } from './actions.ts'
import { DragHandle } from './DragHandle.tsx'
import type { PageCell } from './edit.ts'
import { toggleFold, useFolded } from './folds.ts'
import { showRuns } from './showRuns.ts'
import { useNotebook } from './state.ts'

/** What can be done with a cell as a whole. */
export function CellToolbar({ cell, index, last }: { cell: PageCell; index: number; last: boolean }) {
  const { key, kind, id } = cell
  const folded = useFolded('code', id)
  const trains = useNotebook(({ states }) => (states[id]?.output?.studies.length ?? 0) > 0)
  return (
    <div className="cell-toolbar" role="toolbar" aria-label={`cell ${id}`}>
      {kind === 'markdown' && <IconButton icon="edit" label="Edit" keys="Enter" onClick={() => select(key, true)} />}
      {kind === 'code' && (
        <IconButton
          icon={folded ? 'unfold' : 'fold'}
          label={folded ? 'Unfold the code' : 'Fold the code'}
          keys="Shift+O"
          onClick={() => toggleFold('code', id)}
        />
      )}
      {trains && <IconButton icon="runs" label="Runs of this cell" keys="T" onClick={() => showRuns(cell)} />}
      <DragHandle cellKey={key} />
      <IconButton icon="up" label="Move up" disabled={index === 0} onClick={() => moveCell(key, -1)} />
      <IconButton icon="down" label="Move down" disabled={last} onClick={() => moveCell(key, 1)} />
      <IconButton icon="add" label="Add cell below" keys="B" onClick={() => addCell(index + 1)} />
      <IconButton icon="remove" label="Delete cell" keys="D D" onClick={() => deleteCell(key)} />
    </div>
  )
}
