import type { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Place } from '../protocol.ts'
import type { CellFile, Files } from './files.ts'

/** Where the name at an offset is defined, if that is in a cell. */
export function definition(files: Files, key: string, offset: number): Place[] {
  const cell = files.cell(key)
  const found = cell && files.service.getDefinitionAtPosition(cell.path, cell.prelude.length + offset)
  return (found ?? []).flatMap(
    ({ fileName, textSpan }) =>
      files.placeOf(fileName, textSpan) ?? (fileName === cell?.path ? imported(files, cell, textSpan) : []),
  )
}

/** For some uses TypeScript stops at the import, which is in the prelude. */
function imported(files: Files, { prelude }: CellFile, { start, length }: ts.Span): Place | [] {
  const name = prelude.slice(start, start + length)
  const definer = files.definer(name)
  const at = definer?.defines.get(name)
  return definer && at !== undefined ? { key: definer.key, start: at, end: at + length } : []
}
