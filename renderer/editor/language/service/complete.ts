import type { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Completed, Completion, TextEdit, TypeDescription } from '../protocol.ts'
import { described } from './describe.ts'
import { exportsOf } from './exports.ts'
import type { Files } from './files.ts'
import { importing, NAMESPACES } from './imports.ts'

/** TypeScript sorts what is in scope as '11', and keywords as '15'. */
const OF_OTHER_CELLS = '12'
const TO_BE_IMPORTED = '16'

/** What may be written at an offset; names of other cells and of modules, too, that the cell does not use yet. */
export function complete(files: Files, key: string, offset: number): Completion[] {
  const cell = files.cell(key)
  const found = cell && files.service.getCompletionsAtPosition(cell.path, cell.prelude.length + offset, {})
  if (!found) return []
  const known = found.entries.map((entry) =>
    completion(entry, entry.replacementSpan && files.placeOf(cell.path, entry.replacementSpan)),
  )
  // what TypeScript calls global is the beginning of a statement alone; where any name may stand, keywords may, too
  if (found.isMemberCompletion || !known.some(({ kind }) => kind === 'keyword')) return known
  const shown = new Set(known.map(({ name }) => name))
  const others = files.cells().filter((other) => other !== cell)
  const ofCells = others.flatMap((other) => namesOf(other.key, files).filter(({ name }) => !shown.has(name)))
  for (const { name } of ofCells) shown.add(name)
  return [...known, ...ofCells, ...importable(files).filter(({ name }) => !shown.has(name))]
}

/** What one of the completions is. */
export function describe(
  files: Files,
  key: string,
  offset: number,
  { name, from, module }: Completed,
): TypeDescription | null {
  const cell = files.cell(from ?? key)
  if (!cell) return null
  if (module !== null) {
    const found = exportsOf(files)
      .get(name)
      ?.find((each) => each.module === module)
    const info = found && files.service.getQuickInfoAtPosition(found.path, found.at)
    return info ? described(info) : null
  }
  const at = cell.prelude.length + (from ? (cell.defines.get(name) ?? 0) : offset)
  const found = from
    ? files.service.getQuickInfoAtPosition(cell.path, at)
    : files.service.getCompletionEntryDetails(cell.path, at, name, undefined, undefined, undefined, undefined)
  return found ? described(found) : null
}

/** What makes a cell import the name of a completion. */
export function importOf(files: Files, key: string, { name, module }: Completed): TextEdit[] {
  const cell = files.cell(key)
  if (!cell || module === null) return []
  const type =
    exportsOf(files)
      .get(name)
      ?.find((each) => each.module === module)?.type ?? false
  return importing(cell, [{ name, module, type }])
}

function importable(files: Files): Completion[] {
  const base = { deprecated: false, replaces: null, from: null }
  const listed = [...exportsOf(files)].flatMap(([name, all]) =>
    all.map(({ kind, module }, place) => ({ ...base, name, kind, module, sortText: TO_BE_IMPORTED + place })),
  )
  const whole = Object.entries(NAMESPACES).map(([module, name]) => ({
    ...base,
    name,
    module,
    kind: 'module',
    sortText: TO_BE_IMPORTED,
  }))
  return [...listed, ...whole]
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
    module: null,
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
    module: null,
  }))
}
