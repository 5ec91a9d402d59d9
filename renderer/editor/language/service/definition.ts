import type { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Elsewhere, TextRange } from '../protocol.ts'
import type { CellFile, Files } from './files.ts'

/** Where the name at an offset is defined: in a cell, or in the declarations of a module. */
export function definition(files: Files, key: string, offset: number): (TextRange | Elsewhere)[] {
  const cell = files.cell(key)
  const found = cell && files.service.getDefinitionAtPosition(cell.path, cell.prelude.length + offset)
  return (found ?? []).flatMap(
    ({ fileName, textSpan }) =>
      files.placeOf(fileName, textSpan) ??
      (fileName === cell?.path ? imported(files, cell, textSpan) : declared(files, fileName, textSpan)),
  )
}

/** For some uses TypeScript stops at the import, which is in the prelude. */
function imported(files: Files, { prelude }: CellFile, { start, length }: ts.Span): TextRange | [] {
  const name = prelude.slice(start, start + length)
  const definer = files.definer(name)
  const at = definer?.defines.get(name)
  return definer && at !== undefined ? { key: definer.key, start: at, end: at + length } : []
}

/** The declaration itself, where a module only passes the name on. */
function declared(files: Files, path: string, span: ts.Span): Elsewhere | [] {
  const text = path.startsWith('/node_modules/') ? files.declared(path) : undefined
  if (text === undefined) return []
  const [next] = files.service.getDefinitionAtPosition(path, span.start) ?? []
  if (next && next.fileName !== path) return declared(files, next.fileName, next.textSpan)
  return { path, text, start: span.start, end: span.start + span.length }
}
