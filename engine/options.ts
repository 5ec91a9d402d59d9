import type { z } from 'zod'
import { MixlabError, quoted, suggest } from './errors.ts'

/**
 * A list, a typed array or a plain object once more, with all that is inside of it; anything else as it is, and so is what has
 * an identity: what a cell defines, and what has hidden parts.
 */
export function copyOf<Value>(value: Value): Value
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (ArrayBuffer.isView(value)) return 'slice' in value ? (value as Float32Array).slice() : value
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  if ('kind' in value || Object.getOwnPropertyNames(value).length > Object.keys(value).length) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]))
}

/** Checks `value` against `schema` and fills in defaults. Throws a MixlabError `option` for the first thing wrong. */
export function parseOptions<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  const misspelt = issues.find(({ code }) => code === 'unrecognized_keys') // else it would be reported as missing
  throw optionError(schema, value, path, misspelt ?? issues[0])
}

function optionError(
  schema: z.ZodType,
  value: unknown,
  path: string,
  issue: z.core.$ZodIssue | undefined,
): MixlabError {
  const steps = issue?.path.map(String) ?? []
  const place = [path, ...steps].filter(Boolean).join('.')
  if (issue?.code === 'unrecognized_keys') {
    const key = String(issue.keys[0])
    return new MixlabError('option', place, `unknown option ${quoted(key)}${suggest(key, keysAt(schema, steps))}`)
  }
  const given = steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), value)
  const choice =
    issue?.code === 'invalid_union' ? issue.errors.flat().find(({ code }) => code === 'invalid_value') : issue
  if (choice?.code === 'invalid_value' && typeof given === 'string') {
    return new MixlabError(
      'option',
      place,
      `unknown value ${quoted(given)}${suggest(given, choice.values.map(String))}`,
    )
  }
  const shown = given === undefined ? 'missing' : show(given)
  return new MixlabError('option', place, `${shown}, expected ${expectation(issue)}`)
}

/** What an issue says is allowed, in few words. */
function expectation(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return EXPECTED[issue.expected] ?? article(issue.expected)
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'some text'
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`
    case 'custom':
      return issue.message
    default:
      return beginningLow(issue?.message ?? 'another value')
  }
}

const EXPECTED: Record<string, string> = { int: 'a whole number', nonoptional: 'a value', record: 'values by name' }

/** Messages of the schema's library begin in upper case. */
function beginningLow(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** The option names that the schema knows at a path. */
function keysAt(schema: z.ZodType, steps: string[]): string[] {
  let at: unknown = schema
  for (const step of [...steps, null]) {
    while (isRecord(at) && isRecord(at.def) && at.def.innerType) at = at.def.innerType
    const shape = isRecord(at) && isRecord(at.def) && isRecord(at.def.shape) ? at.def.shape : {}
    if (step === null) return Object.keys(shape)
    at = shape[step]
  }
  return []
}

function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (isRecord(value) && 'dataId' in value) return `a tensor [${value.shape}]`
  const text = typeof value === 'string' ? `'${value}'` : typeof value === 'number' ? String(value) : json(value)
  return text && text.length > 60 ? `${text.slice(0, 57)}...` : String(text)
}

/** A value as JSON; one that is nested too deeply has none. */
function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return 'a nested value'
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
