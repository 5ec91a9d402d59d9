import type { ScopeNode } from './align.ts'
import type { Diagram, DiagramOperation } from './diagram.ts'
import { folded } from './fold.ts'
import { type DiagramNode, nodeOf } from './node.ts'

/** The parts of a model: its layers, calls of cells and operations, equal ones that follow each other once. */
export function treeOf({ name, operations, wrong }: Diagram): DiagramNode {
  const children = shownParts(scopesIn(operations, 0, operations.length, 0, ''), 0, operations)
  const root = { ...nodeOf('model', name, operations, 0, operations.length), children: folded(children, operations) }
  if (wrong) noteWrong(root, wrong.scopes, wrong.sentence)
  return numbered(root, '')
}

/** The scopes of a model with their operations, nothing folded or joined. */
export function scopeTree({ name, operations }: Pick<Diagram, 'name' | 'operations'>): ScopeNode {
  const children = scopesIn(operations, 0, operations.length, 0, '')
  return { ...nodeOf('model', name, operations, 0, operations.length), scope: '', children }
}

/** The scopes that are `depth` scopes deep among some operations, in the scope called `outer`, and operations outside of these. */
function scopesIn(
  operations: readonly DiagramOperation[],
  from: number,
  to: number,
  depth: number,
  outer: string,
): ScopeNode[] {
  const parts: ScopeNode[] = []
  for (let at = from; at < to; ) {
    const { name, scopes } = operations[at] as DiagramOperation
    const scope = scopes[depth]
    let end = at + 1
    if (scope === undefined) {
      parts.push({ ...nodeOf('operation', name, operations, at, end), scope: '', children: [] })
    } else {
      while (end < to && operations[end]?.scopes[depth] === scope) end++
      const children = scopesIn(operations, at, end, depth + 1, scope)
      parts.push({ ...nodeOf('layer', labelOf(scope, outer), operations, at, end), scope, children })
    }
    at = end
  }
  return parts
}

/** The name of a scope below that around it. */
function labelOf(scope: string, outer: string): string {
  return outer && scope.startsWith(`${outer}.`) ? scope.slice(outer.length + 1) : scope
}

/** What is shown of some scopes: a layer of one operation is that operation, and what one call in a cell has made is a part. */
function shownParts(scopes: ScopeNode[], depth: number, operations: readonly DiagramOperation[]): DiagramNode[] {
  const parts = scopes.map(({ scope: _, children, ...node }): DiagramNode => {
    const inside = shownParts(children, depth + 1, operations)
    const [only, ...others] = inside
    if (only?.kind === 'operation' && others.length === 0) return { ...only, name: node.name }
    return { ...node, children: inside }
  })
  return withCalls(parts, depth, operations)
}

/** Joins operations outside of layers that one call in a cell has made, where it made several and other calls are beside it. */
function withCalls(parts: DiagramNode[], depth: number, operations: readonly DiagramOperation[]): DiagramNode[] {
  const calls = parts.map(({ from, to }) =>
    to === from + 1 ? callOf(operations[from] as DiagramOperation, depth) : null,
  )
  if (new Set(operations.slice(parts[0]?.from, parts.at(-1)?.to).map(keyOf).filter(Boolean)).size < 2) return parts
  const joined: DiagramNode[] = []
  for (let at = 0; at < parts.length; ) {
    const first = parts[at] as DiagramNode
    const call = calls[at]
    let end = at + 1
    while (call && calls[end] === call) end++
    const own = parts.slice(at, end)
    if (own.length === 1) joined.push(first)
    else {
      const name = operations[first.from]?.place?.call || 'call'
      joined.push({ ...nodeOf('call', name, operations, first.from, (own.at(-1) as DiagramNode).to), children: own })
    }
    at = end
  }
  return joined
}

/** The call that has made an operation which is so many scopes deep. */
function callOf(operation: DiagramOperation, depth: number): string | null {
  return operation.scopes.length === depth ? keyOf(operation) : null
}

const keyOf = ({ place }: DiagramOperation) => place && `${place.line} ${place.column}`

/** Marks where the code fails: as deep as the scopes lead. A scope without operations gets a node of its own. */
function noteWrong(root: DiagramNode, scopes: string[], sentence: string): void {
  let at = root
  let outer = ''
  for (const scope of scopes) {
    const label = labelOf(scope, outer)
    let next = at.children.findLast(({ kind, name }) => kind === 'layer' && name === label)
    if (!next) {
      next = { ...nodeOf('layer', label, [], 0, 0), from: at.to, to: at.to }
      at.children = [...at.children, next]
    }
    at = next
    outer = scope
  }
  if (at.kind === 'operation') at.kind = 'layer'
  const failed = { ...nodeOf('operation', 'fails here', [], 0, 0), from: at.to, to: at.to, wrong: sentence }
  at.children = [...at.children, failed]
}

/** Gives each part its place: its name below that of what is around it, numbered where several have one name. */
function numbered(node: DiagramNode, id: string): DiagramNode {
  const taken = new Map<string, number>()
  const children = node.children.map((child) => {
    const count = taken.get(child.name) ?? 0
    taken.set(child.name, count + 1)
    return numbered(child, `${id}/${child.name}${count > 0 ? `#${count}` : ''}`)
  })
  return { ...node, id, children }
}
