import { libFileMap } from 'monaco-editor/languages/features/typescript/lib/lib.js'
import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { CellText, TextRange } from '../protocol.ts'
import { boundedNames, type TextNames } from './names.ts'

/** What the compiler sees of a cell: a module that exports all its names and imports those it uses of other cells. */
export interface CellFile extends CellText, TextNames {
  path: string
  /** A line before the cell's text. */
  prelude: string
  version: number
}

/** The cells of a notebook as modules, and the compiler that knows them. */
export interface Files {
  service: ts.LanguageService
  setCells(keys: string[], changed: CellText[]): void
  /** Not one whose text is too long or too deeply nested: to the compiler it is not there. */
  cell(key: string): CellFile | undefined
  cells(): CellFile[]
  cellAt(path: string): CellFile | undefined
  /** The cell from which others get a name. */
  definer(name: string): CellFile | undefined
  /** The text of a file of declarations. */
  declared(path: string): string | undefined
  /** The cells that are not there for the compiler, with their texts. */
  beyond(): ReadonlyMap<string, string>
  /** A span in a file, as a place in the text of its cell; null for what is elsewhere. */
  placeOf(path: string, span: ts.Span): TextRange | null
}

/** What cells can import. */
export const MODULES = ['mixlab', '@tensorflow/tfjs'] as const

/** The declarations of a module. */
export function moduleFile(module: string): string {
  return `/node_modules/${module}/index.d.ts`
}

const OPTIONS = {
  allowImportingTsExtensions: true,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  noImplicitAny: false, // code in a cell is often tried out before it is finished
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
}

/**
 * A notebook without cells. `declarations` are texts by path, of modules in `/node_modules/` and of the globals; null
 * leaves out those of the language, too: names are known then, and no types.
 */
export function createFiles(declarations: Readonly<Record<string, string>> | null): Files {
  let cells = new Map<string, CellFile>()
  let byPath = new Map<string, CellFile>()
  let definers = new Map<string, CellFile>()
  let beyond = new Map<string, string>()
  let version = 0

  const options = { ...OPTIONS, noLib: declarations === null }
  const modules = MODULES.map(moduleFile).filter((path) => declarations?.[path] !== undefined)
  const textOf = (path: string): string | undefined => {
    const cell = byPath.get(path)
    return cell ? cell.prelude + cell.source : (declarations?.[path] ?? libFileMap[path.slice(1)])
  }
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib.es2024.d.ts',
    getProjectVersion: () => String(version),
    getScriptFileNames: () => ['/globals.d.ts', ...modules, ...byPath.keys()],
    getScriptSnapshot: (path) => {
      const text = textOf(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getScriptVersion: (path) => String(byPath.get(path)?.version ?? 0),
    fileExists: (path) => textOf(path) !== undefined,
    readFile: textOf,
  })

  return {
    service,
    setCells(keys, changed) {
      version++
      const texts = new Map(changed.map(({ key, source }) => [key, source]))
      const left = new Map<string, string>()
      const read = keys.flatMap((key) => {
        const source = texts.get(key) ?? beyond.get(key) ?? cells.get(key)?.source ?? ''
        const cell = beyond.get(key) === source ? null : readCell(key, source, cells.get(key), version)
        if (!cell) left.set(key, source)
        return cell ?? []
      })
      beyond = left
      cells = new Map(read.map((cell) => [cell.key, cell]))
      byPath = new Map(read.map((cell) => [cell.path, cell]))
      // Of several cells that define a name the first counts, as in the graph of the notebook.
      definers = new Map(read.toReversed().flatMap((cell) => [...cell.defines.keys()].map((name) => [name, cell])))
      for (const cell of read) {
        const prelude = preludeOf(cell, definers)
        if (cell.prelude !== prelude) Object.assign(cell, { prelude, version })
      }
    },
    cell: (key) => cells.get(key),
    cells: () => [...cells.values()],
    cellAt: (path) => byPath.get(path),
    definer: (name) => definers.get(name),
    beyond: () => beyond,
    declared: (path) => declarations?.[path],
    placeOf(path, span) {
      const cell = byPath.get(path)
      const start = span.start - (cell?.prelude.length ?? 0)
      return cell && start >= 0 ? { key: cell.key, start, end: start + span.length } : null
    },
  }
}

/** Null where the text is not for the compiler. */
function readCell(key: string, source: string, before: CellFile | undefined, version: number): CellFile | null {
  if (before?.source === source) return before
  const names = boundedNames(source)
  const prelude = before?.prelude ?? ''
  return names && { key, source, path: `/notebook/${encodeURIComponent(key)}.ts`, prelude, version, ...names }
}

/** Module syntax counts for a whole file wherever it stands; in front it holds while the text is unfinished. */
function preludeOf(cell: CellFile, definers: Map<string, CellFile>): string {
  const own = [...cell.defines.keys()].filter((name) => !cell.exported.has(name))
  const foreign = [...cell.words].flatMap((name) => {
    const from = cell.defines.has(name) ? undefined : definers.get(name)
    return from ? `import { ${name} } from '${from.path}'` : []
  })
  const statements = ['export {}', ...own.map((name) => `export { ${name} }`), ...foreign]
  return `${statements.join('; ')};\n`
}
