import type { AnyNode, Identifier } from 'acorn'
import { LimitExceeded } from '../bounds.ts'
import { isNode } from '../declarations.ts'
import { declaring, partsOf, type Scope } from '../names.ts'

/** A function or class of a cell by what it says, however it is written. */
export interface Normalised {
  /** Without its own name, the names of its variables, comments, white space, brackets, quotes and commas that change nothing. */
  text: string
  /** What it uses of the code around it, in the order of the first use; `this` among them. */
  captured: string[]
}

/** Nodes that normalising may visit; each function within another is visited once for each around it. */
export interface Effort {
  left: number
}

/** What says where a node stands, how it was written, or what its parts say. */
const WRITING = new Set(['type', 'start', 'end', 'raw', 'shorthand', 'directive'])

/**
 * Normalises the function or class `root`, which stands in `scope`. `given` are names that the cell gets from elsewhere.
 * Null where the text does not say what it does: it uses `eval`, `super` or private names of a class around it. Throws
 * TooMuch beyond the effort.
 */
export function normalise(root: AnyNode, scope: Scope, given: ReadonlySet<string>, effort: Effort): Normalised | null {
  const out: string[] = []
  const captured: string[] = []
  /** Of the scopes inside, the number of each name, in the order of their first use. */
  const own = new Map<Scope, Map<string, number>>()
  let count = 0
  let opaque = false

  function capture(name: string): string {
    const known = captured.indexOf(name)
    return `^${known < 0 ? captured.push(name) - 1 : known}`
  }

  function nameOf(name: string, at: Scope): string {
    const declared = declaring(name, at)
    if (declared === null && !given.has(name)) {
      if (name === 'eval') opaque = true
      return `=${name}`
    }
    if (declared === null || declaring(name, scope) === declared) return capture(name)
    const names = own.get(declared) ?? new Map<string, number>()
    own.set(declared, names)
    const number = names.get(name) ?? count++
    names.set(name, number)
    return `#${number}`
  }

  /** `outer`: whether `this` is that of the code around the root. */
  function write(node: AnyNode, at: Scope, outer: boolean): void {
    if (--effort.left < 0) throw new LimitExceeded()
    if (node.type === 'Identifier') return void out.push(nameOf(node.name, at))
    if (node.type === 'ThisExpression' && outer) return void out.push(capture('this'))
    if (outer && (node.type === 'Super' || node.type === 'MetaProperty')) opaque = true
    if (node.type === 'PrivateIdentifier' || node.type === 'PropertyDefinition') opaque ||= isPrivate(node)
    out.push(node.type.replace(/(?<=^Function|^Class)(Declaration|Expression)$/, ''), '(')
    if (node.type === 'Literal') out.push(literal(node))
    const scopes = new Map(partsOf(node, at)) // the same for all its parts
    const inside = outer && !isOwnThis(node)
    for (const [name, value] of Object.entries(node)) {
      if (WRITING.has(name) || node.type === 'Literal' || value === undefined || value === null || value === false)
        continue
      if (name === 'id' && isOwnThis(node)) {
        // a name is declared around what is declared, and of all else it is known nowhere but inside
        if (node !== root && node.type.endsWith('Declaration')) out.push(nameOf((value as Identifier).name, at))
        continue
      }
      out.push(name, ':')
      if (!isNode(value) && !Array.isArray(value)) out.push(JSON.stringify(value))
      else for (const each of [value].flat()) part(each, scopes, inside)
    }
    out.push(')')
  }

  function part(node: unknown, scopes: Map<AnyNode, Scope>, outer: boolean): void {
    if (!isNode(node)) return void out.push(',') // left out in a list
    if (node.type === 'EmptyStatement') return
    const own = scopes.get(node)
    if (own) write(node, own, outer)
    else out.push(keyOf(node))
    out.push(';')
  }

  write(root, scope, true)
  return opaque ? null : { text: out.join(''), captured }
}

/** Whether `this` is another one in a node; such a node may have a name. */
function isOwnThis({ type }: AnyNode): boolean {
  return /^(Function|Class)(Declaration|Expression)$/.test(type)
}

function isPrivate(node: AnyNode): boolean {
  return (
    node.type === 'PrivateIdentifier' || ('key' in node && isNode(node.key) && node.key.type === 'PrivateIdentifier')
  )
}

/** A name that is none of a variable: of a property, a label, or the text of a template. */
function keyOf(node: AnyNode): string {
  if (node.type === 'Identifier') return JSON.stringify(node.name)
  if (node.type === 'Literal') return JSON.stringify(String(node.value))
  return JSON.stringify(Object.entries(node).filter(([name]) => !WRITING.has(name)))
}

function literal({ value, regex, bigint }: { value?: unknown; regex?: unknown; bigint?: unknown }): string {
  if (regex || bigint) return JSON.stringify(regex ?? { bigint })
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}
