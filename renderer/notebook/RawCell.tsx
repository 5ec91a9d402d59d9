import { CellEditor } from './CellEditor.tsx'
import type { CellBodyProps } from './cellBody.ts'

/** Text of a kind that only another editor knows; it stays in the file. */
export function RawCell({ cell, editing }: CellBodyProps) {
  return <CellEditor cell={cell} language="plaintext" label={`text of ${cell.id}`} focused={editing} problem={null} />
}
