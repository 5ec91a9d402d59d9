import { MixlabError, suggest } from '../errors.ts'
import { type Column, resolveColumn } from './column.ts'
import { FACTS } from './facts.ts'
import { parseNumber } from './number.ts'
import type { RunFields } from './types.ts'

export type Operator = '=' | '<' | '<=' | '>' | '>='

/** What a field is compared with. A text is given by its parts, between which anything may stand: `g*p` is `g` and `p`. */
export interface Wanted {
  parts: string[]
  /** What the text means as a number, if it means one. */
  number: number | null
}

/** One word of a filter; a run passes where all hold. */
export type Clause =
  /** A word that study, variant, note or a tag has in it. */
  | { kind: 'word'; not: boolean; wanted: Wanted }
  /** `=` holds for any of the values; the other operators have one, a number. */
  | { kind: 'field'; not: boolean; column: Column; operator: Operator; wanted: Wanted[] }

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
const WORD = new RegExp(`(?:${QUOTED}|[^\\s"])+`, 'gs')
const VALUE = new RegExp(`(?:${QUOTED}|[^,"])+`, 'gs')
const FIELD = /^((?:(?:last|best|min|max):)?[^\s":<>=!]+)(!=|<=|>=|[:=<>])(.*)$/s

/** What one question of the store takes. */
const MAX_WORDS = 200
const MAX_VALUES = 500

/** What `status:` may be. */
export const STATUSES = ['running', 'done', 'failed', 'interrupted']

/**
 * Reads a filter such as `task:mlm,image lr<1e-3 -tag:old "two words"` (docs/runs.md). Archived runs are left out unless
 * the filter speaks of them. Throws MixlabError `option` that names the word and what is allowed.
 */
export function parseFilter(text: string, fields: RunFields): Clause[] {
  if (text.replace(WORD, '').trim() !== '') {
    throw new MixlabError('option', 'filter', `the quote in ${text.trim()} has no end`)
  }
  const words = text.match(WORD) ?? []
  if (words.length > MAX_WORDS) {
    throw new MixlabError('option', 'filter', `has ${words.length} words, expected at most ${MAX_WORDS}`)
  }
  const clauses = words.map((word) => clauseOf(word, fields))
  const speaks = clauses.some((clause) => clause.kind === 'field' && isArchived(clause.column))
  return speaks ? clauses : [...clauses, clauseOf('archived:no', fields)]
}

function isArchived(column: Column): boolean {
  return column.kind === 'fact' && column.name === 'archived'
}

function clauseOf(word: string, fields: RunFields): Clause {
  const minus = word.startsWith('-') && word.length > 1
  const [, name, operator, rest = ''] = FIELD.exec(minus ? word.slice(1) : word) ?? []
  if (name === undefined) {
    return { kind: 'word', not: minus, wanted: anywhere(wantedOf(minus ? word.slice(1) : word)) }
  }
  const column = resolveColumn(name, fields)
  if (column.kind === 'step')
    throw bad(word, 'values at a step can be shown, not filtered by; last, best, min and max can')
  const wanted = (rest.match(VALUE) ?? []).map(wantedOf)
  if (wanted.length > MAX_VALUES) {
    throw new MixlabError('option', name, `has ${wanted.length} values, expected at most ${MAX_VALUES}`)
  }
  if (wanted.length === 0) throw bad(word, `a value is missing after '${operator}'`)
  const not = minus !== (operator === '!=')
  if (operator === ':' || operator === '=' || operator === '!=') {
    return { kind: 'field', not, column, operator: '=', wanted: wanted.map((each) => checked(word, column, each)) }
  }
  return { kind: 'field', not, column, operator: operator as Operator, wanted: [bound(word, column, wanted)] }
}

/** A value to be equal to. */
function checked(word: string, column: Column, wanted: Wanted): Wanted {
  if (column.kind === 'option') return wanted
  const kind = column.kind === 'fact' ? FACTS[column.name] : 'number'
  const text = wanted.parts.join('*')
  switch (kind) {
    case 'text':
      if (column.name === 'status' && wanted.parts.length === 1 && !STATUSES.includes(text)) {
        throw bad(word, `unknown status '${text}'${suggest(text, STATUSES)}`)
      }
      return wanted
    case 'words':
      return text === '' ? wanted : anywhere(wanted)
    case 'start':
      return { ...wanted, parts: [...wanted.parts, ''] }
    case 'flag':
      if (text !== 'yes' && text !== 'no') throw bad(word, `'${text}', allowed are yes and no`)
      return { ...wanted, number: text === 'yes' ? 1 : 0 }
    case 'time':
      throw bad(word, 'compare a time by <, <=, > or >=')
    case 'number':
    case 'span':
      if (wanted.number === null) throw bad(word, `'${text}', expected a number`)
      return wanted
  }
}

/** The number to be compared with. */
function bound(word: string, column: Column, [wanted, ...more]: Wanted[]): Wanted {
  const kind = column.kind === 'fact' ? FACTS[column.name] : 'number'
  if (kind !== 'number' && kind !== 'span' && kind !== 'time')
    throw bad(word, `${column.name} is no number: compare by ':'`)
  const text = wanted?.parts.join('*') ?? ''
  const number = kind === 'time' ? timeOf(text) : (wanted?.number ?? null)
  if (number === null || more.length > 0) {
    throw bad(word, `expected one ${kind === 'time' ? 'date such as 2026-11-21 or 2026-11-21T14:30' : 'number'}`)
  }
  return { parts: [text], number }
}

/** A date, or a date with the time of day, where the user is. */
function timeOf(text: string): number | null {
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?$/.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}`)
  return Number.isNaN(at) ? null : at
}

/** What stands in quotes is taken as it is, without stars. */
function wantedOf(text: string): Wanted {
  const parts = ['']
  for (const [piece] of text.matchAll(new RegExp(`${QUOTED}|[^"]`, 'gs'))) {
    if (piece === '*') parts.push('')
    else parts[parts.length - 1] += piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(.)/gs, '$1') : piece
  }
  return { parts, number: parts.length === 1 && !text.includes('"') ? parseNumber(text) : null }
}

/** A text as a filter takes it literally: `wantedOf` turned round. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function anywhere({ parts, number }: Wanted): Wanted {
  return { parts: ['', ...parts, ''], number }
}

function bad(word: string, message: string): MixlabError {
  return new MixlabError('option', word, message)
}
