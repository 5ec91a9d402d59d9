import type { AnyNode, Function as FunctionNode, ImportDeclaration, Program } from 'acorn'
import { BOUNDS, LimitExceeded } from './bounds.ts'
import { childrenOf, declaredIn, hoistedIn, namesIn } from './declarations.ts'

/** An import statement. `imported` is '*' for the whole module. */
export interface CellImport {
  module: string
  start: number
  bindings: { local: string; imported: string }[]
}

/** The names of a cell, seen from outside. Offsets are those of the transpiled code. */
export interface CellNames {
  /** Top-level definitions without imports. */
  definitions: string[]
  imports: CellImport[]
  /** Free names: defined neither in the cell nor in a scope around the use; with the offset of the first use. */
  uses: Map<string, number>
  /** Offsets of the `import` of dynamic imports. */
  dynamicImports: number[]
}

/** The names that a part of the code declares, and the part around it. */
export interface Scope {
  names: Set<string>
  outer: Scope | null
  depth: number
}

/** Finds what a cell defines and what it uses, by the scope rules of a strict module. Throws TooMuch. */
export function namesOf(program: Program): CellNames {
  const imports = program.body.filter((node) => node.type === 'ImportDeclaration').map(importOf)
  const definitions = [...new Set([...declaredIn(program.body), ...hoistedIn(program.body)])]
  const names: CellNames = { definitions, imports, uses: new Map(), dynamicImports: [] }
  const top = topScope(names)
  for (const node of program.body) visit(node, top, names)
  return names
}

/** The scope of a cell: its definitions and imports. */
export function topScope({ definitions, imports }: Pick<CellNames, 'definitions' | 'imports'>): Scope {
  return inner(null, [...definitions, ...imports.flatMap(({ bindings }) => bindings.map(({ local }) => local))])
}

function importOf({ source, specifiers, start }: ImportDeclaration): CellImport {
  const bindings = specifiers.map((specifier) => {
    const local = specifier.local.name
    if (specifier.type === 'ImportNamespaceSpecifier') return { local, imported: '*' }
    if (specifier.type === 'ImportDefaultSpecifier') return { local, imported: 'default' }
    const { imported } = specifier
    return { local, imported: imported.type === 'Identifier' ? imported.name : String(imported.value) }
  })
  return { module: String(source.value), start, bindings }
}

function visit(node: AnyNode, scope: Scope, names: CellNames): void {
  if (node.type === 'ImportExpression') names.dynamicImports.push(node.start)
  // Names in binding position need no care: their scope has them already, so they are never free.
  if (node.type === 'Identifier' && !names.uses.has(node.name) && declaring(node.name, scope) === null) {
    names.uses.set(node.name, node.start)
  }
  for (const [part, own] of partsOf(node, scope)) visit(part, own, names)
}

/** The innermost scope that declares a name; null for none. */
export function declaring(name: string, scope: Scope | null): Scope | null {
  return scope === null || scope.names.has(name) ? scope : declaring(name, scope.outer)
}

/** The parts of a node in which names can stand, each with its scope. */
export function partsOf(node: AnyNode, scope: Scope): [AnyNode, Scope][] {
  switch (node.type) {
    case 'MemberExpression':
      return within(scope, node.computed ? [node.object, node.property] : [node.object])
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return within(scope, [...(node.computed ? [node.key] : []), ...(node.value ? [node.value] : [])])
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return partsOfFunction(node, scope)
    case 'ClassDeclaration':
    case 'ClassExpression':
      return within(inner(scope, node.id ? [node.id.name] : []), childrenOf(node))
    case 'BlockStatement':
      return within(inner(scope, declaredIn(node.body)), node.body)
    case 'StaticBlock':
      return within(inner(scope, [...declaredIn(node.body), ...hoistedIn(node.body)]), node.body)
    case 'ForStatement':
      return within(inner(scope, declaredIn(node.init ? [node.init] : [])), childrenOf(node))
    case 'ForInStatement':
    case 'ForOfStatement':
      return within(inner(scope, declaredIn([node.left])), childrenOf(node))
    case 'SwitchStatement': {
      const body = inner(scope, declaredIn(node.cases.flatMap((each) => each.consequent)))
      return [[node.discriminant, scope], ...within(body, node.cases)]
    }
    case 'CatchClause':
      return within(inner(scope, node.param ? namesIn(node.param) : []), childrenOf(node))
    case 'LabeledStatement':
      return within(scope, [node.body])
    case 'ExportNamedDeclaration':
      return within(scope, node.declaration ? [node.declaration] : node.specifiers.map(({ local }) => local))
    case 'ImportDeclaration':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return []
    default:
      return within(scope, childrenOf(node))
  }
}

/** Default values of parameters see the parameters but not the variables of the body. */
function partsOfFunction(node: FunctionNode, scope: Scope): [AnyNode, Scope][] {
  const ownName = node.id ? [node.id.name] : []
  const ownArguments = node.type === 'ArrowFunctionExpression' ? [] : ['arguments']
  const parameters = inner(scope, [...ownName, ...ownArguments, ...node.params.flatMap(namesIn)])
  const body = inner(parameters, node.body.type === 'BlockStatement' ? hoistedIn(node.body.body) : [])
  return [...within(parameters, node.params), [node.body, body]]
}

function inner(outer: Scope | null, names: Iterable<string>): Scope {
  const depth = outer ? outer.depth + 1 : 0
  if (depth > BOUNDS.scopes) throw new LimitExceeded()
  return { names: new Set(names), outer, depth }
}

function within(scope: Scope, nodes: AnyNode[]): [AnyNode, Scope][] {
  return nodes.map((node) => [node, scope])
}
