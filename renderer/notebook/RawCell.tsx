import { select } from '../session/actions.ts'
import { CellEditor } from './CellEditor.tsx'
import type { CellBodyProps } from './cellBody.ts'

/** Text of a kind that only another editor knows; it stays in the file. */
export function RawCell({ cell, editing }: CellBodyProps) {
  return (
    <CellEditor
      cellKey={cell.key}
      value={cell.source}
      language="plaintext"
      label={`text of ${cell.id}`}
      focused={editing}
      problem={null}
      onFocus={() => select(cell.key, true)}
      onEscape={() => select(cell.key)}
    />
  )
}
