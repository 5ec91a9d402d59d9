import type { AnyNode, Identifier } from 'acorn'
import { LimitExceeded } from '../bounds.ts'
import type { Edit } from '../edits.ts'
import { partsOf, type Scope } from '../names.ts'
import type { Transpiled } from '../transpile.ts'
import { type Effort, type Normalised, normalise } from './normalise.ts'

/** A function or class as it stands in a cell. */
export interface Literal extends Normalised {
  source: string
}

/** The functions and classes that stand in a cell, and the edits that make its code note what each of them captures. */
export interface Literals {
  literals: Literal[]
  /** In the order of the text; of two at one place the first goes first. */
  edits: Edit[]
}

/** A function or class with a name, which nothing in a cell is without. */
type Declared = AnyNode & { id?: Identifier | null }

/** Nodes that are looked at for one cell; functions of a cell with more are not noted. */
const EFFORT = 2_000_000

/** Methods of lists that call a function and forget it: noting it would cost more than the call. */
const CALLS = /^(every|filter|find|findIndex|findLast|flatMap|forEach|map|reduce|some|sort|toSorted)$/

/**
 * Finds the functions, classes and methods of a cell whose own scope is `top`, with names `given` from elsewhere. With the
 * edits, the code calls `__cell.closure(index, function, () => [captured values], name)` for each function and class
 * that it makes, and `__cell.methods(object, [[name, index, () => [captured values]]])` for objects with methods.
 */
export function literalsOf(
  { code, program }: Pick<Transpiled, 'code' | 'program'>,
  top: Scope,
  given: ReadonlySet<string>,
): Literals {
  const literals: Literal[] = []
  const edits: Edit[] = []
  const effort: Effort = { left: EFFORT }
  const insert = (offset: number, text: string) => edits.push({ start: offset, end: offset, text })

  /** The arguments of a note: its index, what is `noted`, and the values that it captures; null where nothing says these. */
  function note(node: AnyNode, scope: Scope, noted: string): [start: string, end: string] | null {
    const found = normalise(node, scope, given, effort)
    if (!found) return null
    const index = literals.push({ ...found, source: code.slice(node.start, node.end) }) - 1
    return [`${index}, ${noted}`, `, () => [${found.captured.join(', ')}]`]
  }

  function statement(node: Declared, scope: Scope): string {
    const noted = node.id && note(node, scope, node.id.name)
    return noted ? `;__cell.closure(${noted.join('')});` : ''
  }

  function methodsOf(node: AnyNode, scope: Scope): string[] {
    if (node.type !== 'ObjectExpression') return []
    return node.properties.flatMap((each) => {
      if (each.type !== 'Property' || !each.method || each.computed) return []
      const name = each.key.type === 'Identifier' ? each.key.name : 'value' in each.key ? String(each.key.value) : ''
      const noted = note(each.value, scope, '')
      return noted ? [`[${JSON.stringify(name)}, ${noted.join('')}]`.replace(', ,', ',')] : []
    })
  }

  function visit(node: AnyNode, scope: Scope, parent: AnyNode | null): void {
    const parts = partsOf(node, scope)
    const noted = isValue(node) && !isCalledOnce(node, parent) ? note(node, scope, '') : null
    const methods = methodsOf(node, scope)
    // `new class {}()` would call what notes the class
    const [open, close] = parent?.type === 'NewExpression' ? ['(', ')'] : ['', '']
    if (noted) insert(node.start, `${open}__cell.closure(${noted[0]}`)
    if (methods.length > 0) insert(node.start, '__cell.methods(')
    if (node.type === 'Program' || node.type === 'BlockStatement') {
      const hoisted = parts.flatMap(([part, own]) => {
        const declared = part.type === 'ExportNamedDeclaration' ? part.declaration : part
        return declared?.type === 'FunctionDeclaration' ? [statement(declared, own)] : []
      })
      if (hoisted.length > 0) insert(node.type === 'Program' ? 0 : node.start + 1, hoisted.join(''))
    }
    for (const [part, own] of parts) visit(part, own, node)
    if (node.type === 'ClassDeclaration') insert(node.end, statement(node, scope))
    if (methods.length > 0) insert(node.end, `, [${methods.join(', ')}])`)
    if (noted) insert(node.end, `${noted[1]}${nameIn(parent)})${close}`)
  }

  try {
    visit(program, top, null)
    return { literals, edits }
  } catch (error) {
    if (error instanceof LimitExceeded) return { literals: [], edits: [] }
    throw error
  }
}

/** Functions and classes as values. */
function isValue({ type }: AnyNode): boolean {
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'ClassExpression'
}

/** The name that a function without one gets where it stands, as a further argument. */
function nameIn(parent: AnyNode | null): string {
  const named = parent?.type === 'VariableDeclarator' ? parent.id : parent?.type === 'Property' ? parent.key : null
  return named?.type === 'Identifier' ? `, '${named.name}'` : ''
}

/** Methods, which are noted with their object, and functions that only a method of a list gets. */
function isCalledOnce(node: AnyNode, parent: AnyNode | null): boolean {
  if (parent?.type === 'MethodDefinition') return true
  if (parent?.type === 'Property') return parent.method || parent.kind !== 'init'
  if (parent?.type !== 'CallExpression' || parent.arguments[0] !== node) return false
  const { callee } = parent
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && CALLS.test(callee.property.name)
}
