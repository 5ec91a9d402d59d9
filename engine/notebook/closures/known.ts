import { closest } from '../../errors.ts'
import { isBlock } from '../../nn/block.ts'
import { type Modules, TFJS } from '../modules.ts'
import { nameOf, noteName } from './closures.ts'

/** What JavaScript itself brings, and code may keep under a name of its own. */
const GLOBALS: Record<string, object> = {
  ...{ Array, Boolean, Date, Error, JSON, Map, Math, Number, Object, Promise, RegExp, Set, String, Symbol },
  ...{ ArrayBuffer, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array },
  ...{ Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array },
}

for (const [name, value] of Object.entries(GLOBALS)) nameMembers(value, name)

/** The module that exports each name. */
const exporters = new Map<string, string>()

/** Names what cells can import: it is the same whichever cell captures it. */
export function nameExports(modules: Modules): void {
  for (const [module, exported] of Object.entries(modules)) {
    nameMembers(module === TFJS ? asInNode(exported) : exported, module, true)
    for (const name of Object.keys(exported)) if (!exporters.has(name)) exporters.set(name, module)
  }
}

/**
 * The exports of tfjs as Node has them: by name, and again as `default`, which bundlers leave out. Names are in keys of runs,
 * and a study has the same keys in the page and on the command line.
 */
function asInNode(exported: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...exported, default: exported.default ?? { ...exported } }
  return Object.fromEntries(
    Object.keys(all)
      .sort()
      .map((name) => [name, all[name]]),
  )
}

/** What to do about a name that is not defined, and that cells can import; '' where there is nothing like it. */
export function importHint(name: string): string {
  const known = exporters.has(name) ? name : closest(name, [...exporters.keys()])
  if (known === null) return ''
  const meant = known === name ? '' : `did you mean ${known}? `
  return `; ${meant}add: import { ${known} } from '${exporters.get(known)}'`
}

/** An object and the functions and objects that it has, or `deep` in it. A value that has a name already keeps it. */
function nameMembers(whole: object, name: string, deep = false): void {
  if (nameOf(whole) === undefined) noteName(whole, name)
  for (const member of Object.getOwnPropertyNames(whole)) {
    const value: unknown = Reflect.get(whole, member)
    const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null)
    if (!isObject || nameOf(value) !== undefined) continue
    // namespaces of modules have a prototype where a bundler made them
    const isPlain = Object.getPrototypeOf(value) === Object.prototype && !(Symbol.toStringTag in value)
    if (deep && isPlain) nameMembers(value, `${name}.${member}`, deep)
    else noteName(value, `${name}.${member}`)
    if (isBlock(value)) noteName(value.run, `${name}.${member}.run`)
  }
}
