import { Icon } from '../ui/Icon.tsx'
import { startDragging } from './drag.ts'

/** By this a cell is dragged to another place; by keyboard, Alt and an arrow move it. */
export function DragHandle({ cellKey }: { cellKey: string }) {
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
