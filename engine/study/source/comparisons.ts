import type { AnyNode, ObjectExpression, Property, SpreadElement } from 'acorn'
import { childrenOf } from '../../notebook/declarations.ts'

/** A call `compare('name', { ... })` whose arguments are written out. Offsets are those of the transpiled code. */
export interface CompareCall {
  study: string
  spec: ObjectExpression
}

/** The comparisons in some code, in the order of the text. */
export function comparisonsIn(node: AnyNode): CompareCall[] {
  const inner = childrenOf(node).flatMap(comparisonsIn)
  if (node.type !== 'CallExpression') return inner
  const { callee } = node
  const called = callee.type === 'MemberExpression' ? callee.property : callee
  const [name, spec] = node.arguments
  const found = called.type === 'Identifier' && called.name === 'compare' && spec?.type === 'ObjectExpression'
  return found && name?.type === 'Literal' && typeof name.value === 'string'
    ? [{ study: name.value, spec }, ...inner]
    : inner
}

/** What decides a property: the last one of its name, or a `...` after it that may have it too; undefined for nothing. */
export function propertyOf({ properties }: ObjectExpression, name: string): Property | SpreadElement | undefined {
  return properties.findLast((each) => each.type === 'SpreadElement' || keyOf(each) === name)
}

/** The numbers of a list, null where anything else is in it. */
export function numbersOf(node: AnyNode): number[] | null {
  if (node.type !== 'ArrayExpression') return null
  const numbers = node.elements.flatMap((each) => literalNumber(each) ?? [])
  return numbers.length === node.elements.length ? numbers : null
}

/** The value of a number that is written out, else null. */
export function literalNumber(node: AnyNode | null): number | null {
  return node?.type === 'Literal' && typeof node.value === 'number' ? node.value : null
}

function keyOf({ key, computed }: Property): unknown {
  if (computed) return null
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : null
}
