import type { Hover } from '../protocol.ts'
import { described } from './describe.ts'
import type { Files } from './files.ts'

/** Type and doc comment of the name at an offset. */
export function hover(files: Files, key: string, offset: number): Hover | null {
  const cell = files.cell(key)
  const found = cell && files.service.getQuickInfoAtPosition(cell.path, cell.prelude.length + offset)
  const at = found && files.placeOf(cell.path, found.textSpan)
  return at ? { at, ...described(found) } : null
}
