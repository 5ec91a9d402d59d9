import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import { type Files, MODULES, moduleFile } from './files.ts'

/** A name that a module gives to cells. */
export interface Exported {
  module: string
  /** A type, which no code can use as a value. */
  type: boolean
  /** TypeScript's word for what it is. */
  kind: 'function' | 'class' | 'type' | 'const'
  /** Where it is declared. */
  path: string
  at: number
}

const known = new WeakMap<Files, ReadonlyMap<string, readonly Exported[]>>()

/** The names that cells can import, of each those modules that have it. They are read once: declarations do not change. */
export function exportsOf(files: Files): ReadonlyMap<string, readonly Exported[]> {
  const found = known.get(files) ?? read(files)
  known.set(files, found)
  return found
}

function read(files: Files): Map<string, Exported[]> {
  const program = files.service.getProgram()
  const checker = program?.getTypeChecker()
  const found = new Map<string, Exported[]>()
  for (const module of MODULES) {
    const file = program?.getSourceFile(moduleFile(module))
    const symbol = file && checker?.getSymbolAtLocation(file)
    for (const each of (symbol && checker?.getExportsOfModule(symbol)) ?? []) {
      const target = each.flags & ts.SymbolFlags.Alias ? checker?.getAliasedSymbol(each) : each
      const declared = target?.declarations?.[0]
      if (!target || !declared || !/^[a-z]/i.test(each.name) || each.name === 'default') continue
      const path = declared.getSourceFile().fileName
      const at = (declared.name ?? declared).getStart(declared.getSourceFile())
      const type = !(target.flags & ts.SymbolFlags.Value)
      found.set(each.name, [...(found.get(each.name) ?? []), { module, type, kind: kindOf(target.flags), path, at }])
    }
  }
  return found
}

function kindOf(flags: number): Exported['kind'] {
  const { Function: isFunction, Class, Value } = ts.SymbolFlags
  if (flags & isFunction) return 'function'
  if (flags & Class) return 'class'
  return flags & Value ? 'const' : 'type'
}
