import { alignment, type Pair, type ScopeNode } from './align.ts'
import { type Diagram, type DiagramOperation, type OperationInput, sumOf } from './diagram.ts'
import { shapeText } from './names.ts'
import { signatureOf } from './signature.ts'
import { scopeTree } from './tree.ts'

/** What differs between two models, in one diagram: that of `b`, with the operations that `a` alone has between them. */
export interface Difference {
  diagram: Diagram
  added: number
  removed: number
  changed: number
  /** How often two parts were compared to find that. */
  compared: number
}

/** What a scope of `a` alone is called, since one of `b` may have the same name. */
const BEFORE = ' (before)'

/**
 * Compares two models by what they do, whatever their layers are called. Operations that differ in shapes, attributes,
 * constants or in what they read are changed; costs are those of `b`.
 */
export function differenceOf(a: Diagram, b: Diagram): Difference {
  const merged: Merged[] = []
  const { pairs, compared } = alignment(scopeTree(a), scopeTree(b), a.operations, b.operations)
  merge(pairs, [], merged)
  const [placeInA, placeInB] = [new Map<number, number>(), new Map<number, number>()]
  for (const [i, each] of merged.entries()) {
    if (each.a !== null) placeInA.set(each.a, i)
    if (each.b !== null) placeInB.set(each.b, i)
  }
  const fromA = (input: OperationInput) => moved(input, placeInA)
  const fromB = (input: OperationInput) => moved(input, placeInB)
  const isIn = (side: 'a' | 'b', { operation }: OperationInput) => {
    return operation === undefined || merged[operation]?.[side] !== null
  }

  const operations = merged.map(({ a: inA, b: inB, scopes }): DiagramOperation => {
    const before = inA === null ? null : (a.operations[inA] as DiagramOperation)
    const after = inB === null ? null : (b.operations[inB] as DiagramOperation)
    if (!after) {
      const inputs = (before?.inputs ?? []).map((input) => ({ ...fromA(input), mark: 'removed' as const }))
      return { ...(before as DiagramOperation), macs: 0, bytes: 0, parameters: 0, scopes, inputs, mark: 'removed' }
    }
    const inputs = after.inputs.map(fromB)
    if (!before) {
      return { ...after, scopes, inputs: inputs.map((input) => ({ ...input, mark: 'added' as const })), mark: 'added' }
    }
    let isRewired = false
    const gone: OperationInput[] = []
    if (before.inputs.length === inputs.length) {
      for (const [i, input] of before.inputs.map(fromA).entries()) {
        const now = inputs[i] as OperationInput
        if (input.operation === now.operation) continue
        now.mark = 'added'
        gone.push({ ...input, mark: 'removed' })
        if (isIn('b', input) && isIn('a', now)) isRewired = true
      }
    }
    const was = wasText(before, after) ?? (isRewired ? 'reading another' : null)
    return { ...after, scopes, inputs: [...inputs, ...gone], ...(was && { mark: 'changed', was }) }
  })
  const count = (mark: string) => operations.filter((each) => each.mark === mark).length
  const blockEnds = b.blockEnds.map((end) => (placeInB.get(end - 1) ?? -1) + 1)
  const diagram = { ...b, blockEnds, name: `${a.name} → ${b.name}`, operations, totals: sumOf(operations) }
  return { diagram, added: count('added'), removed: count('removed'), changed: count('changed'), compared }
}

/** An operation of one model or of both, by their numbers. */
interface Merged {
  a: number | null
  b: number | null
  scopes: string[]
}

/** Both models in one order, with the scopes of `b` where it has them. */
function merge(pairs: readonly Pair[], around: string[], merged: Merged[]): void {
  for (const { a, b, inside } of pairs) {
    if (a && b && inside) {
      merge(inside, [...around, b.scope], merged)
    } else if (a && b) merged.push({ a: a.from, b: b.from, scopes: around })
    else if (b) all(b, around, '', (b, scopes) => merged.push({ a: null, b, scopes }))
    else if (a) all(a, around, BEFORE, (a, scopes) => merged.push({ a, b: null, scopes }))
  }
}

/** Each operation of a part, with its scopes below those around. */
function all(
  { kind, children, from, scope, name }: ScopeNode,
  around: string[],
  suffix: string,
  use: (operation: number, scopes: string[]) => void,
): void {
  if (kind === 'operation') {
    use(from, around)
    return
  }
  const outer = around.at(-1)
  const own = suffix === '' ? scope : `${outer === undefined ? '' : `${outer}.`}${name}${suffix}`
  for (const child of children) all(child, [...around, own], suffix, use)
}

function moved(input: OperationInput, places: ReadonlyMap<number, number>): OperationInput {
  const { operation } = input
  if (operation === undefined) return { ...input }
  return { ...input, operation: places.get(operation) as number }
}

/** What an operation was before it changed; null where it did the same. */
function wasText(before: DiagramOperation, after: DiagramOperation): string | null {
  if (signatureOf(before) === signatureOf(after)) return null
  const shapes = (of: DiagramOperation) => of.shapes.map(shapeText).join(', ')
  if (shapes(before) !== shapes(after)) return shapes(before)
  const read = (of: DiagramOperation) => of.inputs.map(inputText).join(' and ')
  if (read(before) !== read(after)) return `of ${read(before)}`
  return changedAttributes(before.attributes, after.attributes)
}

function inputText({ shape, constant, parameter }: OperationInput): string {
  if (constant !== undefined && constant !== 'drawn') return constant
  return parameter === undefined ? shapeText(shape) : `a parameter ${shapeText(shape)}`
}

/** The attributes that differ, as they were. */
function changedAttributes(before: string, after: string): string {
  const [one, other] = [before, after].map((text) => JSON.parse(text ?? '{}') as Record<string, unknown>)
  const names = Object.keys({ ...one, ...other })
  const changed = names.filter((name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]))
  return changed.map((name) => `${name} ${JSON.stringify(one?.[name])}`).join(', ')
}
