import type { PageCell } from '../session/edit.ts'

/** What the body of a cell of any kind gets. */
export interface CellBodyProps {
  cell: PageCell
  /** Whether the user writes in it. */
  editing: boolean
}
