import type { Column } from '../../engine/runs/column.ts'
import { isNumeric } from '../../engine/runs/format.ts'

/** How a cell of a column stands: numbers to the right, and, with `left`, in view while the table scrolls. */
export function cellPlace(column: Column, left: number | undefined) {
  const names = [isNumeric(column) && 'number', left !== undefined && 'stays'].filter(Boolean)
  return { className: names.join(' ') || undefined, style: left === undefined ? undefined : { left } }
}
