import { type Expression, parseExpressionAt, type SpreadElement } from 'acorn'
import { type Fail, MixlabError, messageOf, suggest } from '../errors.ts'
import * as sets from './index.ts'
import * as transforms from './transforms/sets.ts'
import type { DataSpec } from './types.ts'

const { dataset: _, ...named } = sets
const known = new Map<string, (...given: never[]) => DataSpec>(Object.entries(named))
const changes = new Set<unknown>(Object.values(transforms))

/**
 * The data set that a text names as a cell does: `mnist`, or `idx({ path: 'digits' })` with values that are written out.
 * Nothing is evaluated. Throws MixlabError `option`; `where` is what the user wrote it for.
 */
export function dataNamed(text: string, where: string): DataSpec | string {
  const fail = (what: string) => new MixlabError('option', where, `'${text}' ${what}`)
  if (/^[\w-]+$/.test(text)) return text
  const call = parsed(text, fail)
  return called(call, where, fail)
}

/** The value that a text writes out, e.g. the options `{ mixup: 0.2 }`. Throws MixlabError `option`. */
export function valueNamed(text: string, where: string): unknown {
  const fail = (what: string) => new MixlabError('option', where, `'${text}' ${what}`)
  return plainValue(parsed(text, fail), fail)
}

function called(call: Expression, where: string, fail: Fail): DataSpec {
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') throw fail('is no call of a data set')
  const { name } = call.callee
  const set = known.get(name)
  if (!set) throw new MixlabError('option', where, `unknown data set '${name}'${suggest(name, [...known.keys()])}`)
  const given = call.arguments.map((each) => {
    return each.type === 'CallExpression' && changes.has(set) ? called(each, where, fail) : plainValue(each, fail)
  })
  if (changes.has(set)) return set(...(given as never[]))
  const [options, ...more] = given
  if (more.length > 0 || (options !== undefined && !isObject(options))) throw fail('needs options, { ... }, or nothing')
  return set(options as never)
}

function parsed(text: string, fail: Fail): Expression {
  try {
    const found = parseExpressionAt(text, 0, { ecmaVersion: 'latest' })
    if (text.slice(found.end).trim() === '') return found
  } catch (error) {
    throw fail(`cannot be read: ${messageOf(error)}`)
  }
  throw fail('has something behind it')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The value of an expression that is written out: texts, numbers, lists and objects of these. */
function plainValue(node: Expression | SpreadElement | null, fail: Fail): unknown {
  if (node?.type === 'Literal' && !('regex' in node) && !('bigint' in node)) return node.value
  if (node?.type === 'UnaryExpression' && node.operator === '-') return -Number(plainValue(node.argument, fail))
  if (node?.type === 'ArrayExpression') return node.elements.map((each) => plainValue(each, fail))
  if (node?.type !== 'ObjectExpression') throw fail('has a value that is not written out')
  return Object.fromEntries(
    node.properties.map((property) => {
      if (property.type !== 'Property' || property.computed) throw fail('has a name that is not written out')
      const { key, value } = property
      const name = key.type === 'Identifier' ? key.name : String(plainValue(key, fail))
      return [name, plainValue(value as Expression, fail)]
    }),
  )
}
