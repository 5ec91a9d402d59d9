import type { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Completion, TypeDescription } from '../protocol.ts'
import { described } from './describe.ts'
import type { Files } from './files.ts'

/** TypeScript sorts what is in scope as '11', and keywords as '15'. */
const OF_OTHER_CELLS = '12'

/** What may be written at an offset; names of other cells, too, that the cell does not use yet. */
export function complete(files: Files, key: string, offset: number): Completion[] {
  const cell = files.cell(key)
  const found = cell && files.service.getCompletionsAtPosition(cell.path, cell.prelude.length + offset, {})
  if (!found) return []
  const known = found.entries.map((entry) =>
    completion(entry, entry.replacementSpan && files.placeOf(cell.path, entry.replacementSpan)),
  )
  if (!found.isGlobalCompletion) return known
  const shown = new Set(known.map(({ name }) => name))
  const others = files.cells().filter((other) => other !== cell)
  return [...known, ...others.flatMap((other) => namesOf(other.key, files).filter(({ name }) => !shown.has(name)))]
}

/** What one of the completions is. */
export function describe(
  files: Files,
  key: string,
  offset: number,
  { name, from }: Pick<Completion, 'name' | 'from'>,
): TypeDescription | null {
  const cell = files.cell(from ?? key)
  if (!cell) return null
  const at = cell.prelude.length + (from ? (cell.defines.get(name) ?? 0) : offset)
  const found = from
    ? files.service.getQuickInfoAtPosition(cell.path, at)
    : files.service.getCompletionEntryDetails(cell.path, at, name, undefined, undefined, undefined, undefined)
  return found ? described(found) : null
}

function completion(entry: ts.CompletionEntry, replaces: Completion['replaces'] | undefined): Completion {
  const { name, kind, sortText, kindModifiers = '' } = entry
  return {
    name,
    kind,
    sortText,
    deprecated: kindModifiers.includes('deprecated'),
    replaces: replaces ?? null,
    from: null,
  }
}

function namesOf(key: string, files: Files): Completion[] {
  const names = [...(files.cell(key)?.defines.keys() ?? [])].filter((name) => files.definer(name)?.key === key)
  return names.map((name) => ({
    name,
    kind: 'const',
    sortText: OF_OTHER_CELLS,
    deprecated: false,
    replaces: null,
    from: key,
  }))
}
