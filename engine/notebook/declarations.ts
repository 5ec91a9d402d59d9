import type { AnyNode, Pattern } from 'acorn'

/** The nodes directly below a node, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter(isNode)
}

/** Whether a part of a node is a node, too. */
export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Names that a pattern binds, e.g. a, b and c of `{ a, x: [b, ...c] }`. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => namesIn(each.type === 'RestElement' ? each.argument : each.value))
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? namesIn(each) : []))
    case 'RestElement':
      return namesIn(pattern.argument)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'MemberExpression':
      return []
  }
}

/** Names that statements bind in their own block: `let`, `const`, `class` and functions. `var` is in `hoistedIn`. */
export function declaredIn(statements: AnyNode[]): string[] {
  return statements.flatMap((node) => {
    if (node.type === 'ExportNamedDeclaration') return node.declaration ? declaredIn([node.declaration]) : []
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [node.id.name] : []
    return node.type === 'VariableDeclaration' && node.kind !== 'var' ? variables(node.declarations) : []
  })
}

/** Names of all `var` in statements, however deep, but not in functions and classes. */
export function hoistedIn(statements: AnyNode[]): string[] {
  return statements.flatMap((node) => {
    if (/^(Arrow)?(Function|Class)/.test(node.type)) return []
    const own = node.type === 'VariableDeclaration' && node.kind === 'var' ? variables(node.declarations) : []
    return [...own, ...hoistedIn(childrenOf(node))]
  })
}

function variables(declarations: { id: Pattern }[]): string[] {
  return declarations.flatMap(({ id }) => namesIn(id))
}
