import { MixlabError, suggest } from '../errors.ts'
import type { CellImport } from './names.ts'

/** What cells can import: the exports of each module, under the name that is imported. */
export type Modules = Record<string, Record<string, unknown>>

/** The module that has the operations of tfjs. */
export const TFJS = '@tensorflow/tfjs'

/** A list longer than this hides the error. */
const LISTED = 30

/** The exports of a module. Throws MixlabError `notebook` with `path` for a name that is not in `modules`. */
export function findModule(modules: Modules, name: string, path: string): Record<string, unknown> {
  const found = Object.hasOwn(modules, name) ? modules[name] : undefined
  if (found) return found
  throw new MixlabError('notebook', path, `unknown module '${name}'${suggest(name, Object.keys(modules))}`)
}

/** The values that an import statement binds, by local name. Throws MixlabError `notebook` with `path`. */
export function bindImport({ module, bindings }: CellImport, modules: Modules, path: string): [string, unknown][] {
  const exported = findModule(modules, module, path)
  return bindings.map(({ local, imported }) => {
    if (imported === '*') return [local, exported]
    if (Object.hasOwn(exported, imported)) return [local, exported[imported]]
    throw new MixlabError('notebook', path, missing(module, imported, Object.keys(exported)))
  })
}

function missing(module: string, name: string, exported: string[]): string {
  if (name === 'default') return `module '${module}' has no default export; write import * as name from '${module}'`
  const hint = suggest(name, exported)
  const known = hint.startsWith(' (known') && exported.length > LISTED ? '' : hint
  // By convention only types and classes start with a capital letter.
  const type = /^[A-Z]/.test(name) ? `; a type is imported as 'type ${name}'` : ''
  return `module '${module}' has no export '${name}'${known}${type}`
}
