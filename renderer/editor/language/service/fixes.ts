import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import { closest } from '../../../../engine/errors.ts'
import type { Fix, Imported } from '../protocol.ts'
import { exportsOf } from './exports.ts'
import type { CellFile, Files } from './files.ts'
import { importing, NAMESPACES } from './imports.ts'

/** TypeScript's numbers for a name that it does not find; with the second it knows one that is written like it. */
const NOT_FOUND = [2304, 2552, 2503]

/** What can be done about the names between two offsets of a cell that are not known. */
export function fixes(files: Files, key: string, start: number, end: number): Fix[] {
  const cell = files.cell(key)
  if (!cell) return []
  const all = unknownNames(files, cell)
  const here = all.filter((each) => each.start <= end && start <= each.end)
  const found = here.flatMap(({ name, similar, ...at }): Fix[] => {
    const offered = importsOf(files, name)
    const imports = offered.map((each) => {
      const title = name === NAMESPACES[each.module] ? `Import * as ${name} from` : `Import '${name}' from`
      return { kind: 'import' as const, title: `${title} '${each.module}'`, edits: importing(cell, [each]) }
    })
    const other = offered.length > 0 ? null : (similar ?? closest(name, namesFor(files, cell)))
    if (!other) return imports
    const [needed] = cell.defines.has(other) || files.definer(other) || similar ? [] : importsOf(files, other)
    const edits = [...(needed ? importing(cell, [needed]) : []), { at: { key, ...at }, text: other }]
    return [...imports, { kind: 'spelling', title: `Change to '${other}'`, edits }]
  })
  const missing = [...new Set(all.map(({ name }) => name))].flatMap((name) => importsOf(files, name).slice(0, 1))
  if (here.length === 0 || missing.length < 2) return found
  const title = `Import all of ${missing.map(({ name }) => `'${name}'`).join(', ')}`
  return [...found, { kind: 'importAll', title, edits: importing(cell, missing) }]
}

function unknownNames(files: Files, cell: CellFile) {
  const found = files.service.getSemanticDiagnostics(cell.path).filter(({ code }) => NOT_FOUND.includes(code))
  return found.flatMap(({ start = 0, length = 0, messageText }) => {
    const at = files.placeOf(cell.path, { start, length })
    const [, similar = null] = /Did you mean '([^']+)'\?/.exec(ts.flattenDiagnosticMessageText(messageText, '\n')) ?? []
    return at ? [{ name: cell.source.slice(at.start, at.end), start: at.start, end: at.end, similar }] : []
  })
}

/** The ways to import a name, the engine's first. */
function importsOf(files: Files, name: string): Imported[] {
  const whole = Object.entries(NAMESPACES).filter(([, each]) => each === name)
  const listed = exportsOf(files).get(name) ?? []
  return [
    ...whole.map(([module]) => ({ name, module, type: false })),
    ...listed.map(({ module, type }) => ({ name, module, type })),
  ]
}

function namesFor(files: Files, cell: CellFile): string[] {
  return [
    ...cell.defines.keys(),
    ...files.cells().flatMap(({ defines }) => [...defines.keys()]),
    ...exportsOf(files).keys(),
  ]
}
