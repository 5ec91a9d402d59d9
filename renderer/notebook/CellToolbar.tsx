import { showRunsOf } from '../commands/showRuns.ts'
import { toggleModel } from '../model/state.ts'
import { addCell, deleteCell, moveCell, select } from '../session/actions.ts'
import type { PageCell } from '../session/edit.ts'
import { toggleFold, useFolded } from '../session/folds.ts'
import { useNotebook } from '../session/state.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { startDragging } from './drag.ts'

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
      {kind === 'code' && <IconButton icon="model" label="Model" keys="G" onClick={() => toggleModel(id)} />}
      {trains && <IconButton icon="runs" label="Runs of this cell" keys="T" onClick={() => showRunsOf(cell)} />}
      <DragHandle cellKey={key} />
      <IconButton icon="up" label="Move up" disabled={index === 0} onClick={() => moveCell(key, -1)} />
      <IconButton icon="down" label="Move down" disabled={last} onClick={() => moveCell(key, 1)} />
      <IconButton icon="add" label="Add cell below" keys="B" onClick={() => addCell(index + 1)} />
      <IconButton icon="remove" label="Delete cell" keys="D D" onClick={() => deleteCell(key)} />
    </div>
  )
}

/** By this a cell is dragged to another place; by keyboard, Alt and an arrow move it. */
function DragHandle({ cellKey }: { cellKey: string }) {
  return (
    <span
      className="drag-handle"
      aria-hidden="true"
      title="Drag to move"
      draggable
      onDragStart={(event) => startDragging(event, cellKey)}
    >
      <Icon name="drag" />
    </span>
  )
}
